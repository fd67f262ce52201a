// Package command retrieves through a program of the user's own: one JSON object a line in, one a line
// out, the process kept alive between queries.
//
//	in:  {"query":"…","k":10,"filter":{…}}
//	out: {"hits":[{"id":"…","score":1.2,"text":"…"}]}   or   {"error":"…"}
//
// A hit may also hold title, document, start, end and metadata. The filter is in the neutral form, left
// out when there is none; a program that cannot apply it has to answer with an error. When the system has
// an embedding model, the request also holds "vector".
//
// It is opinionated about trust: a conversation that went wrong once (no answer in time, something that
// is not JSON, more lines than questions) cannot be trusted to be in step, so its process is killed and
// the next query starts another. It is opinionated about latency, too: the first answer of a process holds its start,
// so its time is unknown rather than slow, and the response says so with a note. Each process has one conversation; as many run as queries are under way.
package command

import (
	"context"
	"encoding/json"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector"
	"github.com/assay-eval/assay/connector/internal/pointer"
	"github.com/assay-eval/assay/connector/internal/reply"
	"github.com/assay-eval/assay/internal/option"
	"github.com/assay-eval/assay/internal/rest"
	"github.com/assay-eval/assay/internal/secret"
)

// Kind is the name of this connector in a configuration.
const Kind = "command"

// Settings of a program under test.
type Settings struct {
	Command option.Arguments `option:"command,required" help:"program and arguments; no shell is involved; a secret argument as {env: NAME} or {file: PATH}"`
	connector.Limits

	// Dir is the working folder; a relative program path starts here, too.
	Dir string
}

// Program is a Retriever over processes of one program. Close ends them.
type Program struct {
	argv    []string
	secrets []secret.Value // those in argv
	dir     string
	form    reply.Form

	mu     sync.Mutex
	idle   []*process
	closed bool
}

// New finds the program. It does not start it.
func New(s Settings) (*Program, error) {
	if len(s.Command) == 0 || s.Command[0].Text == "" {
		return nil, assay.Usagef("command: names no program")
	}
	name := s.Command[0].Text
	if strings.ContainsRune(name, filepath.Separator) && !filepath.IsAbs(name) {
		name = filepath.Join(s.Dir, name)
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return nil, assay.WithHint(assay.Usagef("command: %w", err), "give the program's path, relative to the configuration file, or one that is found in PATH")
	}
	if path, err = filepath.Abs(path); err != nil {
		return nil, assay.Usagef("command: %w", err)
	}
	p := &Program{argv: []string{path}, dir: s.Dir, form: form()}
	for _, a := range s.Command[1:] {
		p.argv = append(p.argv, a.Text+a.Secret.Reveal())
		if !a.Secret.IsZero() {
			p.secrets = append(p.secrets, a.Secret)
		}
	}
	return p, nil
}

// form is where the parts of a hit lie: under their own names.
func form() reply.Form {
	at := func(name string) reply.Part {
		p, err := reply.At("/"+name, false)
		if err != nil {
			panic(err) // a name of ours
		}
		return p
	}
	return reply.Form{ID: at("id"), Score: at("score"), Text: at("text"), Title: at("title"), Document: at("document"), Start: at("start"), End: at("end"), Metadata: at("metadata")}
}

// Capabilities of the protocol; what the program makes of a filter is its own affair.
func (p *Program) Capabilities() assay.Capabilities {
	return assay.Capabilities{ReturnsText: true, Filters: true, Native: true}
}

// question is a line to the program.
type question struct {
	Query  string        `json:"query"`
	K      int           `json:"k"`
	Filter *assay.Filter `json:"filter,omitempty"`
	Vector rest.Vector   `json:"vector,omitempty"`
}

// Search asks one process and waits for its line.
func (p *Program) Search(ctx context.Context, req assay.Request) (assay.Response, error) {
	resp, err := p.search(ctx, req)
	return resp, p.clean(err)
}

// clean takes the secrets of the command line out of an error: programs like to repeat what they were called with.
func (p *Program) clean(err error) error {
	var own *assay.Error
	if len(p.secrets) == 0 || !errors.As(err, &own) {
		return err
	}
	own.Err, own.Raw = secret.RedactError(own.Err, p.secrets...), secret.Redact(own.Raw, p.secrets...)
	return err
}

// hide takes the secrets out of what a program said before any of it is cut off, and half a secret with it.
func (p *Program) hide(said []byte) []byte {
	if len(p.secrets) == 0 {
		return said
	}
	return []byte(secret.Redact(string(said), p.secrets...))
}

func (p *Program) search(ctx context.Context, req assay.Request) (assay.Response, error) {
	if err := connector.CheckRequest(req, p.where(), false); err != nil {
		return assay.Response{}, err
	}
	if !rest.Finite(req.Vector) {
		return assay.Response{}, assay.Errorf(assay.KindInvalid, "search", p.where(), "the query vector is not finite")
	}
	line, err := rest.Marshal(question{req.Text, req.K, req.Filter, req.Vector})
	if err != nil {
		return assay.Response{}, assay.Errorf(assay.KindInvalid, "search", p.where(), "%w", err)
	}
	if err := ctx.Err(); err != nil {
		return assay.Response{}, ended(ctx, p.where(), "before the question was put")
	}
	var proc *process
	var answer []byte
	var start time.Time
	var first bool
	for {
		if proc, err = p.take(); err != nil {
			return assay.Response{}, err
		}
		first, start = !proc.answered, time.Now()
		if answer, err = proc.ask(ctx, line); !errors.Is(err, errGone) {
			break
		}
	}
	took := time.Since(start)
	if err != nil {
		return assay.Response{}, err
	}
	resp, err := p.read(answer, req.K)
	if err != nil {
		var own *assay.Error
		if !errors.As(err, &own) || own.Kind == assay.KindMalformed {
			proc.kill()
			return assay.Response{}, &assay.Error{Kind: assay.KindMalformed, Op: "search", Where: p.where(), Err: err, Raw: head(p.hide(answer))}
		}
		p.put(proc)
		return assay.Response{}, err
	}
	p.put(proc)
	if first {
		// The protocol has no word for being ready, and a question of our own would be one that nobody asked.
		connector.AddNote(&resp, assay.NoteProgramStarted, 1)
	} else {
		resp.Timings.Search = took
	}
	return resp, nil
}

func (p *Program) where() string { return filepath.Base(p.argv[0]) }

// read makes a response of a line.
func (p *Program) read(line []byte, k int) (assay.Response, error) {
	var document any
	if err := rest.Unmarshal(line, &document); err != nil {
		return assay.Response{}, errNotJSON(p.hide(line))
	}
	m, ok := document.(map[string]any)
	if !ok {
		return assay.Response{}, errors.New("it printed " + pointer.Type(document) + ` where {"hits": [...]} is due`)
	}
	if e, ok := m["error"]; ok && e != nil && e != "" {
		text, _ := e.(string)
		if text == "" {
			b, _ := json.Marshal(e) // it was decoded from JSON a moment ago
			text = string(b)
		}
		return assay.Response{}, assay.Errorf(assay.KindInternal, "search", p.where(), "it reports: %s", oneLine(string(p.hide([]byte(text)))))
	}
	hits, err := hitsPointer.Get(document)
	if err != nil {
		return assay.Response{}, err
	}
	switch hits := hits.(type) {
	case nil:
		return assay.Response{}, nil
	case []any:
		return p.form.Read(hits, k)
	}
	return assay.Response{}, errors.New("its hits are " + pointer.Type(hits) + " and not a list")
}

var hitsPointer = func() pointer.Pointer {
	p, err := pointer.Parse("/hits")
	if err != nil {
		panic(err) // a constant of ours
	}
	return p
}()

// take gives a process that waits for a question, an idle one first.
func (p *Program) take() (*process, error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, assay.Errorf(assay.KindInternal, "search", p.where(), "the program has been closed")
	}
	if n := len(p.idle); n > 0 {
		proc := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.mu.Unlock()
		return proc, nil
	}
	p.mu.Unlock()
	return start(p.argv, p.dir, p.secrets)
}

func (p *Program) put(proc *process) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		proc.kill()
		return
	}
	p.idle = append(p.idle, proc)
}

// Close ends all idle processes: each is given a moment to end by itself when its input closes. Those
// that answer a question are killed when they have.
func (p *Program) Close() error {
	p.mu.Lock()
	idle := p.idle
	p.idle, p.closed = nil, true
	p.mu.Unlock()
	var wg sync.WaitGroup
	for _, proc := range idle {
		wg.Go(proc.stop)
	}
	wg.Wait()
	return nil
}
