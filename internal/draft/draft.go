package draft

import (
	"context"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/discover"
	"github.com/assay-eval/assay/internal/option"
)

// Options say what a draft is made of.
type Options struct {
	option.Env                // Dir is the folder of the assay.yaml to be
	Found      discover.Found // the servers
	Collection string         // the collection to take, by name; "" lets the evidence choose
	Testset    int            // queries of a test set that is there already; 0 when there is none

	// Step is told what is being done, for a progress line; nil for nobody.
	Step func(what string)
}

// Draft is what a first configuration says, and why.
type Draft struct {
	Documents *Documents `json:"documents,omitempty"`
	Store     *Store     `json:"store,omitempty"`    // the collection chosen
	Embedder  *Embedder  `json:"embedder,omitempty"` // the model that queries are embedded with; nil when there is none for the store
	Writer    *Writer    `json:"writer,omitempty"`
	Margin    Margin     `json:"margin"`
	Notes     []Note     `json:"notes"`

	// SameText says that the collection was made from the documents: its texts stand in them.
	SameText bool `json:"same_text"`

	others []candidate
}

// Status is how well something is known.
type Status string

// What a note can be: told by a server or a file, concluded from a sample, or not to be known here.
const (
	Found   Status = "found"
	Guessed Status = "guessed"
	Unknown Status = "unknown"
)

// Note is one thing that a person should know about the draft.
type Note struct {
	Status Status `json:"status"`
	What   string `json:"what"`
	Text   string `json:"text"`
}

// Live reports whether the chosen collection can be put under test: there is a model for its vectors.
func (d *Draft) Live() bool { return d.Store != nil && d.Embedder != nil }

// Make makes a draft. It reads documents and samples collections, and embeds a few stored texts with models on this
// machine. The error is of usage when nothing that can be measured was found, or the collection named was not.
func Make(ctx context.Context, o Options) (*Draft, error) {
	if o.Step == nil {
		o.Step = func(string) {}
	}
	d := &Draft{}
	d.servers(o.Found)
	o.Step("reading documents")
	docs, err := findDocuments(ctx, o.Dir)
	if err != nil {
		return nil, err
	}
	d.Documents = docs
	d.documents()
	if err := d.chooseStore(ctx, &o); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if d.Documents == nil && !d.Live() {
		return nil, d.nothing(o.Found)
	}
	d.chooseWriter(o.Found)
	d.margin(o.Testset)
	d.unknowns()
	return d, nil
}

func (d *Draft) note(s Status, what, text string) { d.Notes = append(d.Notes, Note{s, what, text}) }

// nothing is the error of a machine on which nothing can be measured, with what was seen.
func (d *Draft) nothing(found discover.Found) error {
	if d.Store != nil {
		return assay.WithHint(assay.Usagef("the collection %s was found, and no model for its vectors of %d dimensions, nor documents to search instead",
			d.Store.Name, d.Store.Dimension), "start the model server that filled it, or name it: assay init --at http://HOST:11434")
	}
	seen := "no store with a filled collection answered"
	if len(found.Servers) == 0 {
		seen = "no server answered"
	}
	return assay.WithHint(assay.Usagef("there is nothing to measure yet: %s, and there are no documents", seen),
		"name a server with --at URL, or a folder that holds .md, .txt or .html files; `assay demo` shows the whole loop without either")
}
