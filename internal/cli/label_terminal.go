package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/term"
	"github.com/assay-eval/assay/label/session"
)

// keys are the answers at the terminal; the page has the same.
const keys = `0 not relevant   1 related, no answer   2 answers in part   3 answers
u unsure   s skip   x bad query   b broken text   z undo   q quit
a note after the key is kept: 2 only half of it`

var keyEvents = map[string]assay.Event{"u": assay.EventUnsure, "s": assay.EventSkip, "x": assay.EventBadQuery, "b": assay.EventBrokenText}

// judgeHere asks one rater, a line an answer, until nothing is left, they quit or the input ends.
func (o *labelOptions) judgeHere(ctx context.Context, s *session.Session, who string) error {
	if err := o.printf("judging as %s\n%s\n", term.Printable(who), keys); err != nil {
		return err
	}
	lines := readLines(o.streams.In)
	for whole := false; ; {
		task, ok, err := s.Next(who)
		if err != nil {
			return err
		}
		if err := o.show(task, ok, whole); err != nil {
			return err
		}
		var line string
		select {
		case <-ctx.Done():
			return o.leave(s, who)
		case l, open := <-lines:
			if !open {
				return o.leave(s, who)
			}
			line = l
		}
		key, note, _ := strings.Cut(strings.TrimSpace(line), " ")
		if key == "q" || !ok && key != "z" {
			return o.leave(s, who)
		}
		if whole = key == "m" && note == ""; whole {
			continue
		}
		if err := o.say(s, who, task, key, note); err != nil {
			return err
		}
	}
}

// show prints what is to be judged. What documents hold must not steer the terminal.
func (o *labelOptions) show(t session.Task, ok, whole bool) error {
	if !ok {
		return o.printf("\nnothing is left for you; z takes your latest answer back, anything else ends\n> ")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\nquery: %s\n", term.Shorten(t.Query, shownLine))
	for _, p := range t.Opinions {
		fmt.Fprintf(&b, "%s: %s %s\n", term.Printable(p.Who), sayEvent(p), term.Shorten(p.Note, shownLine))
	}
	if t.Title != "" || t.Document != "" {
		fmt.Fprintf(&b, "from:  %s\n", term.Shorten(t.Title+" "+t.Document, shownLine))
	}
	text, more := t.Text, 0
	if !whole {
		text, more = begin(text, shownText)
	}
	for line := range strings.Lines(text) {
		fmt.Fprintf(&b, "  | %s\n", term.Printable(strings.TrimRight(line, "\r\n")))
	}
	if more > 0 {
		fmt.Fprintf(&b, "  … %d more characters; m shows all\n", more)
	}
	return o.printf("%s> ", b.String())
}

// What is shown at once, in characters: a screen or two of the passage, and of anything that should be a line a few lines.
const (
	shownText = 4000
	shownLine = 1000
)

// begin is the beginning of a text, and how many characters follow it.
func begin(text string, most int) (string, int) {
	n := 0
	for i := range text {
		if n == most {
			return text[:i], utf8.RuneCountInString(text[i:])
		}
		n++
	}
	return text, 0
}

func sayEvent(p session.Opinion) string {
	if p.Event == assay.EventGrade {
		return fmt.Sprintf("grade %d", p.Grade)
	}
	return strings.ReplaceAll(string(p.Event), "_", " ")
}

// say stores one line's answer. A line that is none is explained and asked again.
func (o *labelOptions) say(s *session.Session, who string, t session.Task, key, note string) error {
	if key == "z" {
		undone, err := s.Undo(who, t.Seq)
		if err == nil && !undone {
			return o.printf("there is nothing to take back\n")
		}
		return err
	}
	a := session.Answer{Item: t.Item, Seq: t.Seq, Note: note, Event: keyEvents[key]}
	if g := strings.Index("0123", key); len(key) == 1 && g >= 0 {
		a.Event, a.Grade = assay.EventGrade, g
	}
	if a.Event == "" {
		return o.printf("%q is no answer\n%s\n", term.Printable(key), keys)
	}
	err := s.Answer(who, a)
	if errors.Is(err, assay.ErrUsage) {
		return o.printf("%v\n", err)
	}
	return err
}

// leave says how far the rater came.
func (o *labelOptions) leave(s *session.Session, who string) error {
	p, err := s.Progress(who)
	if err != nil {
		return err
	}
	return o.printf("\n%d judged by you, %d left\n", p.Yours, p.Left)
}

// readLines hands on the lines of an input, so that waiting for one can be interrupted.
func readLines(in io.Reader) <-chan string {
	out := make(chan string)
	go func() {
		defer close(out)
		sc := bufio.NewScanner(in)
		for sc.Scan() {
			out <- sc.Text()
		}
	}()
	return out
}
