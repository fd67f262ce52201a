package testset

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/plural"
)

// ImportOptions say how to read input files and what stands behind their ids.
type ImportOptions struct {
	Form       Form        // "" detects it for every file
	By         assay.Rater // whose labels these are; "" is who the file says, else human
	Who        string      // the rater; "" is who the file says, else "import"
	Scale      Scale       // what foreign grades mean; nil takes 0 and 1 only
	Lookup     Lookup      // the corpus or index to check ids against; nil leaves them unchecked
	Tags       []string    // added to every query
	QueryField string      // JSON key or CSV column of the query text; "" is "query"
	IDsField   string      // JSON key or CSV column of the relevant ids; "" knows "relevant_chunk_id", "relevant_ids" and the like
	TopicField string      // field of a TREC topic that is sent as the query: title, desc or narr; "" is title
	Split      string      // BEIR split; "" is test where the folder has it
	Now        time.Time   // when the labels were made; zero is the present
	Stdin      io.Reader   // what the file name "-" stands for

	kinds []kind // what the file may be, where a folder says it
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func (o *ImportOptions) queryField() string { return or(o.QueryField, "query") }
func (o *ImportOptions) idsField() string   { return or(o.IDsField, "relevant_ids") }
func (o *ImportOptions) topicField() string { return or(o.TopicField, "title") }
func (o *ImportOptions) split() string      { return or(o.Split, "test") }

func or(value, fallback string) string {
	if value == "" {
		return fallback
	}
	return value
}

// Imported says what an import read, added and could not place.
type Imported struct {
	Form       Form            `json:"form"`
	Queries    int             `json:"queries"`     // distinct queries in the input
	NewQueries int             `json:"new_queries"` // of these, new in the set
	Labels     int             `json:"labels"`      // labels in the input
	NewLabels  int             `json:"new_labels"`  // of these, new in the set
	Unlabelled int             `json:"unlabelled"`  // queries of the input without any label: run, not scored
	Known      int             `json:"known"`       // relevant ids that the corpus holds
	Unknown    IDs             `json:"unknown"`     // relevant ids that it does not
	CorpusIDs  []string        `json:"corpus_ids,omitempty"`
	Checked    bool            `json:"checked"` // whether ids were looked up at all
	Warnings   []assay.Warning `json:"warnings,omitempty"`
}

// Import reads queries and labels from files of any form and adds what is new: doing it twice adds
// nothing. Nothing is written unless all input is sound. Files belong together: qrels find their queries
// in the other files or in the set.
//
// With a Lookup, labels are tied to the text behind their ids; where it knows none of the ids, the import
// is refused, since every score would be 0.
func (s *Set) Import(files []string, opts ImportOptions) (*Imported, error) {
	if len(files) == 1 && (opts.Form == FormAssay && isFolder(files[0]) || opts.Form == "" && isSet(files[0])) {
		return s.importSet(files[0], &opts)
	}
	p, skipped, err := s.read(files, &opts)
	if err != nil {
		return nil, err
	}
	if err := opts.Scale.check(p.counts); err != nil {
		return nil, err
	}
	plan := plan{set: s, opts: &opts, ids: resolver{lookup: opts.Lookup}, report: &Imported{Form: p.form, Checked: opts.Lookup != nil}}
	if err := plan.build(p); err != nil {
		return nil, err
	}
	plan.warn(p, skipped)
	report := plan.report
	if report.Checked && report.Known == 0 && report.Unknown.Count > 0 {
		return report, noMatch(report)
	}
	// Labels first, as for generated queries: a query in the set has its labels.
	if report.NewLabels, err = s.AddNewLabels(plan.labels...); err != nil {
		return report, err
	}
	report.NewQueries, err = s.AddQueries(plan.queries...)
	return report, err
}

// read parses all files. skipped counts the queries of a BEIR folder outside the split.
func (s *Set) read(files []string, opts *ImportOptions) (p *parsed, skipped int, err error) {
	p = &parsed{}
	if len(files) == 0 {
		return nil, 0, assay.WithHint(assay.Usagef("no file to import"), "assay import FILE… (forms: %s)", list(Forms()))
	}
	for _, path := range files {
		info, err := os.Stat(path)
		if path != "-" && errors.Is(err, fs.ErrNotExist) {
			return nil, 0, assay.WithHint(assay.Usagef("%s: no such file or folder", path), "a query alone, not in a file, is added with `assay add`")
		}
		if path != "-" && err != nil {
			return nil, 0, assay.Classify(err, assay.ErrUsage)
		}
		if err != nil || !info.IsDir() {
			if err := p.file(path, opts); err != nil {
				return nil, 0, err
			}
			continue
		}
		if isSet(path) && opts.Form != FormBEIR {
			return nil, 0, assay.WithHint(assay.Usagef("%s is a test set of assay, which is imported alone", path), "assay import %s", path)
		}
		n, err := p.folder(path, opts)
		if err != nil {
			return nil, 0, err
		}
		skipped += n
	}
	if len(p.records) == 0 && len(p.qrels) == 0 {
		return nil, 0, assay.Usagef("no query in %s", strings.Join(files, ", "))
	}
	return p, skipped, nil
}

// warn says what the import left out or doubts.
func (p *plan) warn(in *parsed, skipped int) {
	add := func(code, format string, args ...any) {
		p.report.Warnings = append(p.report.Warnings, assay.Warning{Code: code, Text: fmt.Sprintf(format, args...)})
	}
	r := p.report
	if r.Unknown.Count > 0 {
		add("unknown_ids", "%d of %s not in the corpus: %s; the corpus has %s", r.Unknown.Count, plural.Count(r.Unknown.Count+r.Known, "relevant id is", "relevant ids are"), quoted(r.Unknown.First), quoted(r.CorpusIDs))
	}
	if n := p.ids.elsewhere; n.Count > 0 {
		add("unknown_documents", "labels quote %s not in the corpus: %s; they count where their words are retrieved", plural.Count(n.Count, "document that is", "documents that are"), quoted(n.First))
	}
	if !r.Checked && p.bare() {
		add("unchecked_ids", "ids were not looked up: labels are tied to chunk keys and do not survive re-chunking")
	}
	if r.Unlabelled > 0 {
		add("unlabelled", "%s no label: run and counted, not scored", plural.Count(r.Unlabelled, "query has", "queries have"))
	}
	if p.orphans.Count > 0 {
		add("unknown_queries", "the qrels name %s not in the set: %s", plural.Count(p.orphans.Count, "query", "queries"), quoted(p.orphans.First))
	}
	if skipped > 0 {
		add("outside_split", "left out: %s without a label in split %q", plural.Count(skipped, "query"), p.opts.split())
	}
	if in.unread > 0 {
		add("negative_grades", "left out: %s with a negative grade, pooled but not judged; --map says what it means where it was judged, such as --map=-2=0,1=3", plural.Count(in.unread, "judgment"))
	}
	if below := len(p.labels); p.opts.Scale != nil && below > 0 && p.irrelevant() {
		add("none_relevant", "--map makes none of %s relevant, which takes a grade of 2: no query can be scored by them", plural.Count(below, "label"))
	}
	if p.opts.Scale != nil && len(in.counts) == 0 {
		p.report.Warnings = append(p.report.Warnings, unusedMap)
	}
	if fields := in.ignoredFields(); len(fields) > 0 {
		add("ignored_fields", "fields that were not read: %s", strings.Join(fields, ", "))
	}
}

// unusedMap is said of a --map that read no grade.
var unusedMap = assay.Warning{Code: "unused_map", Text: "--map was of no use: the input has no grade on a scale of its own"}

// noMatch refuses an import whose ids match nothing, showing both sides.
func noMatch(r *Imported) error {
	what := fmt.Sprintf("none of the %d relevant ids is", r.Unknown.Count)
	if r.Unknown.Count == 1 {
		what = "the only relevant id is not"
	}
	return assay.WithHint(assay.Usagef("%s in the corpus: labels name %s, the corpus has %s", what, quoted(r.Unknown.First), quoted(r.CorpusIDs)),
		"check `key` of the retriever and which corpus the labels were made on; --no-check imports them as they are")
}

func quoted(ids []string) string {
	if len(ids) == 0 {
		return "(none)"
	}
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = fmt.Sprintf("%q", id)
	}
	return strings.Join(out, ", ")
}
