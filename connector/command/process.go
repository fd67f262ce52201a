package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/secret"
)

const (
	maxLine   = 16 << 20        // bytes of an answer
	goodbye   = 2 * time.Second // for a process to end once its input is closed
	lastWords = time.Second     // for the exit status and stderr of a process that closed its output
)

// process is one running program and its conversation.
type process struct {
	name    string
	cmd     *exec.Cmd
	stdin   io.WriteCloser
	stdout  io.ReadCloser
	lines   chan []byte   // answers; closed when there will be no more
	dead    chan struct{} // closed by kill
	exited  chan struct{} // closed when the process has been waited for
	stderr  *tail
	secrets []secret.Value
	once    sync.Once

	readErr  error // why lines closed; valid after that
	exitErr  error // valid after exited closed
	answered bool  // a whole answer has come before
}

// start runs a program. The secrets among its arguments are kept out of every message.
func start(argv []string, dir string, secrets []secret.Value) (*process, error) {
	p := &process{name: filepath.Base(argv[0]), lines: make(chan []byte), dead: make(chan struct{}), exited: make(chan struct{}), secrets: secrets, stderr: &tail{secrets: secrets}}
	fail := func(err error) (*process, error) {
		return nil, assay.Errorf(assay.KindInvalid, "search", p.name, "the command does not start: %w", err)
	}
	p.cmd = exec.Command(argv[0], argv[1:]...)
	p.cmd.Dir, p.cmd.Stderr, p.cmd.WaitDelay = dir, p.stderr, lastWords
	ownGroup(p.cmd)
	var err error
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		return fail(err)
	}
	// Not StdoutPipe: Wait would close it under the reader.
	r, w, err := os.Pipe()
	if err != nil {
		return fail(err)
	}
	p.cmd.Stdout = w
	err = p.cmd.Start()
	w.Close()
	if err != nil {
		r.Close()
		return fail(err)
	}
	p.stdout = r
	go p.pump()
	go func() {
		p.exitErr = p.cmd.Wait()
		close(p.exited)
	}()
	return p, nil
}

// pump hands over lines one at a time. A process that floods is stopped by its full pipe, or by the bound
// of a line.
func (p *process) pump() {
	defer close(p.lines)
	in := bufio.NewReaderSize(p.stdout, 64<<10)
	for {
		line, err := readLine(in)
		if err != nil {
			p.readErr = err
			return
		}
		select {
		case p.lines <- line:
		case <-p.dead:
			return
		}
	}
}

var errTooLong = fmt.Errorf("it printed a line of more than %d bytes", maxLine)

// readLine reads up to a line feed. A last line without one is half an answer and no line.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > maxLine:
			return nil, errTooLong
		case err == nil:
			return line[:len(line)-1], nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

// errGone is a process that ended between two questions, as it may: another takes its place.
var errGone = errors.New("the process has ended")

// ask puts one question and waits for the answer. After an error the process is dead.
func (p *process) ask(ctx context.Context, question []byte) ([]byte, error) {
	if err := p.inStep(); err != nil {
		p.kill()
		return nil, err
	}
	// Killing is what ends a write or a read that hangs.
	stop := context.AfterFunc(ctx, p.kill)
	_, err := p.stdin.Write(append(question, '\n'))
	line, open := p.answer(err != nil)
	if !stop() {
		return nil, ended(ctx, p.name, "before it answered"+p.stderr.said())
	}
	if !open {
		return nil, p.ended()
	}
	p.answered = true
	return line, nil
}

// inStep checks that the process waits for a question: it runs, and has not said more than it was asked.
func (p *process) inStep() error {
	var line []byte
	var open bool
	select {
	case line, open = <-p.lines:
	case <-p.exited:
		line, open = p.answer(true)
	default:
		return nil
	}
	switch {
	case open:
		line = []byte(secret.Redact(string(line), p.secrets...))
		return &assay.Error{Kind: assay.KindMalformed, Op: "search", Where: p.name, Raw: head(line),
			Err: fmt.Errorf("it printed more than one line for the question before: %s", oneLine(string(line)))}
	case p.answered:
		return errGone
	}
	return p.ended()
}

// answer waits for a line. A process that has ended, or closed its input, may have left one.
func (p *process) answer(closing bool) (line []byte, open bool) {
	if !closing {
		select {
		case line, open = <-p.lines:
			return line, open
		case <-p.exited:
		}
	}
	select {
	case line, open = <-p.lines:
	case <-time.After(lastWords):
	}
	return line, open
}

// ended explains a conversation that broke off, and kills what is left of the process.
func (p *process) ended() error {
	defer p.kill()
	select {
	case _, open := <-p.lines:
		if !open && errors.Is(p.readErr, errTooLong) {
			return assay.Errorf(assay.KindMalformed, "search", p.name, "%w", errTooLong)
		}
	default:
	}
	how := "closed its output"
	select {
	case <-p.exited:
		how = "ended (exit status 0)"
		if p.exitErr != nil {
			how = "ended (" + p.exitErr.Error() + ")"
		}
	case <-time.After(lastWords):
	}
	if p.answered {
		return assay.Errorf(assay.KindUnavailable, "search", p.name, "it %s instead of answering%s", how, p.stderr.said())
	}
	return assay.WithHint(assay.Errorf(assay.KindInternal, "search", p.name, "it %s before its first answer%s", how, p.stderr.said()),
		`try it by hand: echo '{"query":"test","k":3}' | %s`, p.name)
}

// ended makes the error of a context's end.
func ended(ctx context.Context, where, when string) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return assay.Errorf(assay.KindCanceled, "search", where, "canceled %s: %w", when, context.Canceled)
	}
	return assay.Errorf(assay.KindTimeout, "search", where, "the deadline passed %s: %w", when, context.DeadlineExceeded)
}

// kill ends the process and its children at once.
func (p *process) kill() {
	p.once.Do(func() {
		select {
		case <-p.exited: // its number may belong to somebody else by now
		default:
			killGroup(p.cmd)
		}
		close(p.dead)
		_ = p.stdin.Close()
		_ = p.stdout.Close() // a child of its own may hold the other end
	})
}

// stop lets the process end by itself, and kills it when it does not.
func (p *process) stop() {
	_ = p.stdin.Close()
	select {
	case <-p.exited:
	case <-time.After(goodbye):
	}
	p.kill()
	<-p.exited
}
