package web

import (
	"embed"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/untrusted"
	"github.com/assay-eval/assay/label/session"
)

//go:embed static
var static embed.FS

// Labelling is the page on which people judge passages.
type Labelling struct {
	Session    *session.Session
	Project    string // what is shown as the title
	Adjudicate bool   // the session settles disagreements
}

// maxShown bounds the passage that is shown, in bytes: no chunk of a sound index comes near it.
const maxShown = 128 << 10

// Handler serves the page and what it asks for.
func (l *Labelling) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", file("label.html", "text/html; charset=utf-8"))
	mux.HandleFunc("GET /label.css", file("label.css", "text/css; charset=utf-8"))
	for _, script := range []string{"label.js", "sentences.js", "presence.js"} {
		mux.HandleFunc("GET /"+script, file(script, "text/javascript; charset=utf-8"))
	}
	mux.HandleFunc("POST /api/next", respond(l.next))
	mux.HandleFunc("POST /api/answer", respond(l.answer))
	mux.HandleFunc("POST /api/undo", respond(l.undo))
	mux.HandleFunc("POST /api/alive", respond(l.alive))
	mux.HandleFunc("POST /api/agreement", respond(l.agreement))
	return mux
}

func file(name, kind string) http.HandlerFunc {
	data, err := static.ReadFile("static/" + name)
	if err != nil {
		panic(err) // it is part of the binary
	}
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		_, _ = w.Write(data) // whoever asked may be gone
	}
}

// asked is what the page sends: who asks, and what they say of what is in front of them.
type asked struct {
	Who      string          `json:"who"`
	Item     string          `json:"item"`
	Seq      int             `json:"seq"`
	Event    assay.Event     `json:"event"`
	Grade    assay.Grade     `json:"grade"`
	Note     string          `json:"note"`
	Evidence *session.Marked `json:"evidence"`
}

// state is what the page shows. It holds nothing that a rater must not know.
type state struct {
	Project    string           `json:"project"`
	Adjudicate bool             `json:"adjudicate"`
	Task       *shown           `json:"task"` // null: nothing is left for this rater
	Seq        int              `json:"seq"`
	Progress   session.Progress `json:"progress"`
	Moved      bool             `json:"moved,omitempty"` // the answer was to something answered elsewhere, and was not stored
	Undone     bool             `json:"undone,omitempty"`
}

type shown struct {
	Item     string            `json:"item"`
	Query    string            `json:"query"`
	Title    string            `json:"title"`
	Document string            `json:"document"`
	Text     string            `json:"text"`
	Cut      int               `json:"cut,omitempty"` // bytes of the passage that are not shown
	Opinions []session.Opinion `json:"opinions,omitempty"`
}

func (l *Labelling) next(a asked) (any, error) { return l.state(a.Who) }

func (l *Labelling) answer(a asked) (any, error) {
	err := l.Session.Answer(a.Who, session.Answer{Item: a.Item, Seq: a.Seq, Event: a.Event, Grade: a.Grade, Note: a.Note, Evidence: a.Evidence})
	return l.after(a.Who, err)
}

func (l *Labelling) undo(a asked) (any, error) {
	undone, err := l.Session.Undo(a.Who, a.Seq)
	s, err := l.after(a.Who, err)
	if err == nil {
		s.Undone = undone
	}
	return s, err
}

// alive is what the page sends while somebody reads, so that what is in front of them stays theirs.
func (l *Labelling) alive(a asked) (any, error) {
	held, err := l.Session.Alive(a.Who)
	return struct {
		Held bool `json:"held"` // false: it has gone to somebody else
	}{held}, err
}

func (l *Labelling) agreement(a asked) (any, error) {
	if err := session.CheckName(a.Who); err != nil {
		return nil, err
	}
	return struct {
		Agreement []session.Agreement `json:"agreement"`
	}{l.Session.Agreement()}, nil
}

// after is the state once an answer was stored, or was found to come from a window that is behind.
func (l *Labelling) after(who string, err error) (*state, error) {
	moved := errors.Is(err, session.ErrMoved)
	if err != nil && !moved {
		return nil, err
	}
	s, err := l.state(who)
	if err == nil {
		s.Moved = moved
	}
	return s, err
}

func (l *Labelling) state(who string) (*state, error) {
	t, ok, err := l.Session.Next(who)
	if err != nil {
		return nil, err
	}
	p, err := l.Session.Progress(who)
	if err != nil {
		return nil, err
	}
	s := &state{Project: l.Project, Adjudicate: l.Adjudicate, Seq: t.Seq, Progress: p}
	if ok {
		text, cut := bound(t.Text)
		s.Task = &shown{Item: t.Item, Query: t.Query, Title: t.Title, Document: t.Document, Text: text, Cut: cut, Opinions: t.Opinions}
	}
	return s, nil
}

// bound cuts a text to what is shown, at a character, and says how much is missing.
func bound(text string) (string, int) {
	head := untrusted.Head(text, maxShown)
	return head, len(text) - len(head)
}

// respond makes an endpoint of a function: JSON in, JSON out, an error as text with a status that says whose fault it is.
func respond(f func(asked) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";"); kind != "application/json" {
			refuse(w, http.StatusUnsupportedMediaType, "the page sends JSON")
			return
		}
		var a asked
		dec := json.NewDecoder(r.Body)
		dec.DisallowUnknownFields()
		err := dec.Decode(&a)
		if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
			refuse(w, http.StatusRequestEntityTooLarge, "what was sent is too large")
			return
		}
		if err != nil || dec.More() {
			refuse(w, http.StatusBadRequest, "what was sent cannot be read")
			return
		}
		out, err := f(a)
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		if err != nil {
			code := http.StatusInternalServerError
			if errors.Is(err, assay.ErrUsage) {
				code = http.StatusUnprocessableEntity
			}
			w.WriteHeader(code)
			out = struct {
				Error string `json:"error"`
				Hint  string `json:"hint,omitempty"`
			}{err.Error(), assay.Hint(err)}
		}
		_ = json.NewEncoder(w).Encode(out) // whoever asked may be gone
	}
}
