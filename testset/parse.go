package testset

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
)

// parsed is what the input files say, before anything is looked up.
type parsed struct {
	form    Form
	records []record
	qrels   []qrel          // labels that name their query by id
	ignored map[string]int  // fields that were not understood → times seen
	counts  map[float64]int // given grades → labels
	unread  int             // negative grades: pooled but unjudged, left out
}

// record is one query of an input file with the labels beside it.
type record struct {
	query  assay.Query
	labels []judged
	where  string
}

// judged is an id that a query names, with its grade where the input has one.
type judged struct {
	id    string
	given *float64     // on the input's scale; nil for a plain pair
	grade *assay.Grade // on assay's own scale, where the input came from assay
}

// qrel is a line of a qrels file.
type qrel struct {
	query string
	judged
	where string
}

// sniffed bytes of a file decide what it is.
const sniffed = 64 << 10

// source is an open input file.
type source struct {
	name string
	*bufio.Reader
}

func (p *parsed) file(path string, opts *ImportOptions) error {
	var in io.Reader
	if path == "-" && opts.Stdin != nil {
		in, path = opts.Stdin, "stdin"
	} else {
		f, err := os.Open(path)
		if err != nil {
			return assay.Classify(err, assay.ErrUsage)
		}
		defer f.Close()
		in = f
	}
	src := &source{path, bufio.NewReaderSize(in, sniffed)}
	head, err := src.Peek(sniffed)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) {
		return assay.Classify(fmt.Errorf("read %s: %w", path, err), assay.ErrUsage)
	}
	if rest, ok := bytes.CutPrefix(head, []byte("\uFEFF")); ok {
		head = rest
		if _, err := src.Discard(len("\uFEFF")); err != nil {
			return err
		}
	}
	if bytes.HasPrefix(head, []byte("\x1f\x8b")) {
		return assay.WithHint(assay.Usagef("%s is compressed", path), "unpack it first: gunzip -k %s", path)
	}
	if bytes.IndexByte(head, 0) >= 0 {
		return assay.WithHint(assay.Usagef("%s is not a text file", path), "text is read as UTF-8; save a table of Excel as CSV UTF-8, not as Unicode text")
	}
	k, err := p.choose(path, wholeLines(head, errors.Is(err, io.EOF)), opts)
	if err != nil {
		return err
	}
	return p.parse(src, k, opts)
}

// choose settles what the file holds: what the caller forced, else what it looks like.
func (p *parsed) choose(path string, head []byte, opts *ImportOptions) (kind, error) {
	k := sniff(head, opts.queryField())
	if k == kindUnknown {
		return k, assay.Usagef("%s is empty", path)
	}
	form := opts.Form
	if form == "" {
		if strings.EqualFold(filepath.Ext(path), ".csv") && k != kindCSV {
			return k, assay.WithHint(assay.Usagef("%s:1: the header has no column %q", path, opts.queryField()), "name the columns: query,relevant_chunk_id")
		}
		if p.form == "" || p.form == FormJSON {
			p.form = k.form()
		}
		return k, nil
	}
	p.form = form
	kinds := allowed[form]
	switch {
	case slices.Contains(kinds, k):
		return k, nil
	case len(kinds) == 1:
		return kinds[0], nil
	case len(kinds) == 0:
		return k, assay.Usagef("format %q is a folder, %s is a file", form, path)
	}
	return k, assay.Usagef("%s is not what format %q is made of: it looks like %q", path, form, k.form())
}

func (p *parsed) parse(src *source, k kind, opts *ImportOptions) error {
	switch k {
	case kindJSON:
		return p.json(src, opts)
	case kindCSV:
		return p.csv(src, opts)
	case kindTopics:
		return p.topics(src, opts)
	case kindTopicsTSV:
		return p.topicsTSV(src)
	case kindQrels, kindQrelsTSV:
		return p.qrelsFile(src, k)
	}
	return p.text(src)
}

// folder reads a BEIR folder. Where it has qrels of the split, only the queries they name are taken, as
// every tool that evaluates on BEIR does: the others belong to other splits.
func (p *parsed) folder(dir string, opts *ImportOptions) (skipped int, err error) {
	p.form = FormBEIR
	queries := filepath.Join(dir, QueriesFile)
	if _, err := os.Stat(queries); err != nil {
		return 0, assay.WithHint(assay.Usagef("%s is not a folder of queries: it has no %s", dir, QueriesFile), "a BEIR folder holds queries.jsonl and qrels/test.tsv")
	}
	open := *opts
	open.Form = FormBEIR
	if err := p.file(queries, &open); err != nil {
		return 0, err
	}
	path, err := splitFile(dir, opts.split(), opts.Split != "")
	if err != nil || path == "" {
		return 0, err
	}
	if err := p.file(path, &open); err != nil {
		return 0, err
	}
	wanted := map[string]bool{}
	for i := range p.qrels {
		wanted[p.qrels[i].query] = true
	}
	all := len(p.records)
	p.records = slices.DeleteFunc(p.records, func(r record) bool { return !wanted[r.query.ID] })
	return all - len(p.records), nil
}

// splitFile finds the qrels of a split; "" when the folder has none and none was asked for.
func splitFile(dir, split string, asked bool) (string, error) {
	for _, path := range []string{filepath.Join(dir, "qrels", split+".tsv"), filepath.Join(dir, "qrels.tsv")} {
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
	}
	found, err := filepath.Glob(filepath.Join(dir, "qrels", "*.tsv"))
	if err != nil || len(found) == 0 && !asked {
		return "", err
	}
	for i := range found {
		found[i] = strings.TrimSuffix(filepath.Base(found[i]), ".tsv")
	}
	return "", assay.Usagef("%s has no qrels of split %q (splits: %s)", dir, split, strings.Join(found, ", "))
}

// label keeps a judged id, or drops it when its grade says that nobody judged it.
func (p *parsed) label(j judged) (judged, bool) {
	if j.given == nil || j.grade != nil {
		return j, true
	}
	if *j.given < 0 {
		p.unread++
		return j, false
	}
	if p.counts == nil {
		p.counts = map[float64]int{}
	}
	p.counts[*j.given]++
	return j, true
}

func (p *parsed) ignore(field string) {
	if p.ignored == nil {
		p.ignored = map[string]int{}
	}
	p.ignored[field]++
}

// ignoredFields renders what was left unread, such as "answer (100)".
func (p *parsed) ignoredFields() []string {
	var out []string
	for _, f := range slices.Sorted(maps.Keys(p.ignored)) {
		out = append(out, fmt.Sprintf("%s (%d)", f, p.ignored[f]))
	}
	return out
}

// malformed is a refusal with its place in a file.
func malformed(name string, line int, format string, args ...any) error {
	return assay.Classify(assay.Errorf(assay.KindMalformed, "", fmt.Sprintf("%s:%d", name, line), format, args...), assay.ErrUsage)
}
