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
	"time"

	"github.com/assay-eval/assay"
)

// parsed is what the input files say, before anything is looked up.
type parsed struct {
	form    Form
	records []record
	qrels   []qrel             // labels that name their query by id
	ignored map[string]int     // fields that were not understood → times seen
	counts  map[float64]*given // given grades → where they stand
	texts   string             // a file taken for a query a line because it looks like nothing else
	unread  int                // negative grades: pooled but unjudged, left out
}

// record is one query of an input file with the labels beside it.
type record struct {
	query  assay.Query
	labels []judged
	where  string
	keep   bool // belongs to the split without a label in it
	bare   bool // of a form that has no place for a filter
}

// judged is an id that a query names, with its grade where the input has one.
type judged struct {
	id    string
	where string
	given *float64     // on the input's scale; nil for a plain pair
	grade *assay.Grade // on assay's own scale, where the input came from assay

	// What only files of assay's own say.
	target *assay.Target // more than its id
	event  assay.Event   // a verdict that is no grade; "" for a grade
	by     assay.Rater
	who    string
	time   time.Time
	note   string
}

// qrel is a line of a qrels file.
type qrel struct {
	query string
	judged
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
	if err := readable(path, head); err != nil {
		return err
	}
	k, err := p.choose(path, wholeLines(head, errors.Is(err, io.EOF)), opts)
	if err != nil {
		return err
	}
	return p.parse(src, k, opts)
}

// packed are the first bytes of files that hold no text, with the program that makes text of them.
var packed = []struct{ magic, what, hint string }{
	{"\x1f\x8b", "is compressed", "unpack it first: gunzip -k %s"},
	{"(\xb5\x2f\xfd", "is compressed", "unpack it first: zstd -d %s"},
	{"BZh", "is compressed", "unpack it first: bunzip2 -k %s"},
	{"\xfd7zXZ", "is compressed", "unpack it first: xz -dk %s"},
	{"PK\x03\x04", "is a zip archive or a workbook", "unpack it first: unzip %s; save a workbook as CSV UTF-8"},
	{"PAR1", "is a Parquet file", "write it as JSON lines first; %s is read by pandas and DuckDB"},
}

// readable refuses what is not text, by its first bytes.
func readable(path string, head []byte) error {
	for _, p := range packed {
		if bytes.HasPrefix(head, []byte(p.magic)) && (p.magic != "BZh" || bytes.Contains(head, []byte("1AY&SY"))) {
			return assay.WithHint(assay.Usagef("%s %s", path, p.what), p.hint, path)
		}
	}
	if bytes.IndexByte(head, 0) >= 0 {
		return assay.WithHint(assay.Usagef("%s is not a text file", path), "text is read as UTF-8; save a table of Excel as CSV UTF-8, not as Unicode text")
	}
	if line := bytes.TrimRight(head, "\r\n"); bytes.IndexByte(head, '\n') < 0 && bytes.IndexByte(line, '\r') >= 0 {
		return assay.WithHint(assay.Usagef("the lines of %s end in a carriage return alone, as on old Macs", path), "tr '\\r' '\\n' < %s > unix.txt", path)
	}
	return nil
}

// choose settles what the file holds: what the caller forced, else what it looks like.
func (p *parsed) choose(path string, head []byte, opts *ImportOptions) (kind, error) {
	form := opts.Form
	kinds := opts.kinds
	if kinds == nil {
		kinds = allowed[form]
	}
	if form != "" && len(kinds) == 0 {
		return kindUnknown, assay.WithHint(assay.Usagef("format %q is a folder, %s is a file", form, path), "assay import %s --form %s", filepath.Dir(path), form)
	}
	k, err := sniff(head, opts.queryField(), kinds)
	if err != nil {
		return k, fmt.Errorf("%s: %w", path, err)
	}
	if k == kindUnknown {
		return k, assay.WithHint(assay.Usagef("%s is empty", path), "leave it out, or look whether what wrote it went through")
	}
	if form == "" {
		if isTable := strings.EqualFold(filepath.Ext(path), ".csv"); isTable && k != kindCSV {
			return k, assay.WithHint(assay.Usagef("%s:1: the header has no column %q", path, opts.queryField()), "name the columns: query,relevant_chunk_id; or say which one it is with --query-field")
		}
		if err := p.plainText(path, k); err != nil {
			return k, err
		}
		if p.form == "" || p.form == FormJSON {
			p.form = k.form()
		}
		return k, nil
	}
	p.form = form
	switch {
	case slices.Contains(kinds, k):
		return k, nil
	case len(kinds) == 1:
		return kinds[0], nil
	}
	return k, assay.WithHint(assay.Usagef("%s is not what format %q is made of: it looks like %q", path, form, k.form()),
		"leave --form out to have it recognised: assay import %s", path)
}

// textNames are the endings of files that may be taken for a query a line because they look like nothing else.
var textNames = []string{"", ".txt", ".text", ".log", ".lst", ".list"}

// plainText refuses to read a file as a query a line where something else was meant: its name says so, or it comes along
// with qrels or topics, before them or after.
func (p *parsed) plainText(path string, k kind) error {
	const hint = "if it holds a query a line: assay import %s --form text; topics are a query id, a tab and the query a line, qrels four fields apart by blanks"
	judged := func(f Form) bool { return f == FormTREC || f == FormBEIR }
	switch {
	case k != kindText && p.texts != "" && judged(k.form()):
		return assay.WithHint(assay.Usagef("%s looks like plain text, and comes with %s", p.texts, k.form()), hint, p.texts)
	case k != kindText:
		return nil
	case judged(p.form):
		return assay.WithHint(assay.Usagef("%s looks like plain text, and comes with %s", path, p.form), hint, path)
	case !slices.Contains(textNames, strings.ToLower(filepath.Ext(path))):
		return assay.WithHint(assay.Usagef("%s looks like no form that is known", path), hint, path)
	}
	p.texts = path
	return nil
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
		return p.qrelsFile(src, k, opts.Scale)
	}
	return p.text(src)
}

// given counts a grade of the input.
type given struct {
	labels int
	first  string // place of the first
}

// label keeps a judged id, or drops it when its grade says that nobody judged it: negative, and not on the scale.
func (p *parsed) label(j judged, where string, scale Scale) (judged, bool) {
	j.where = where
	if j.given == nil || j.grade != nil {
		return j, true
	}
	if _, mapped := scale.grade(*j.given); *j.given < 0 && !mapped {
		p.unread++
		return j, false
	}
	if p.counts == nil {
		p.counts = map[float64]*given{}
	}
	if p.counts[*j.given] == nil {
		p.counts[*j.given] = &given{first: where}
	}
	p.counts[*j.given].labels++
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
