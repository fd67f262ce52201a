package term

import (
	"fmt"
	"sync/atomic"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// Progress is one line on the terminal behind Err: how far, how fast, how long still. When nobody reads
// Err as a terminal, or it was switched off, it draws nothing.
type Progress struct {
	bars *mpb.Progress
	bar  *mpb.Bar
	note atomic.Pointer[string]
}

// NewProgress starts a line; total 0 means unknown. on is false where the person wants none.
func NewProgress(s *Streams, on bool, label string, total int) *Progress {
	p := &Progress{}
	if !on || !s.ErrTTY {
		return p
	}
	p.bars = mpb.New(mpb.WithOutput(s.Err), mpb.WithWidth(40))
	p.bar = p.bars.New(int64(total), mpb.BarStyle(), mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Name(label+" "), decor.CountersNoUnit("%d/%d ")),
		mpb.AppendDecorators(
			decor.AverageSpeed(0, " %.1f/s "),
			decor.OnComplete(decor.AverageETA(decor.ET_STYLE_GO), ""),
			decor.Any(func(decor.Statistics) string {
				if n := p.note.Load(); n != nil {
					return *n
				}
				return ""
			}),
		))
	return p
}

// Set moves the line to done items, with a note such as "2 failed".
func (p *Progress) Set(done int, format string, args ...any) {
	if p.bar == nil {
		return
	}
	note := fmt.Sprintf(format, args...)
	if note != "" {
		note = " " + Printable(note)
	}
	p.note.Store(&note)
	p.bar.SetCurrent(int64(done))
}

// Stop takes the line off the terminal. It may be called more than once.
func (p *Progress) Stop() {
	if p.bar == nil {
		return
	}
	p.bar.Abort(true)
	p.bars.Wait()
	p.bar = nil
}
