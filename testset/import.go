package testset

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/plural"
)

// ImportOptions say how to read input files and what stands behind their ids.
type ImportOptions struct {
	Form       Form        // "" detects it for every file
	By         assay.Rater // whose labels these are; "" is human
	Who        string      // the rater; "" is "import"
	Scale      Scale       // what foreign grades mean; nil takes 0 and 1 only
	Lookup     Lookup      // the corpus or index to check ids against; nil leaves them unchecked
	Tags       []string    // added to every query
	QueryField string      // JSON key or CSV column of the query text; "" is "query"
	IDsField   string      // JSON key or CSV column of the relevant ids; "" knows "relevant_chunk_id", "relevant_ids" and the like
	TopicField string      // field of a TREC topic that is sent as the query: title, desc or narr; "" is title
	Split      string      // BEIR split; "" is test where the folder has it
	Now        time.Time   // when the labels were made; zero is the present
	Stdin      io.Reader   // what the file name "-" stands for
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
	if len(files) == 1 && isSet(files[0]) && (opts.Form == "" || opts.Form == FormAssay) {
		return s.importSet(files[0])
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
		if isSet(path) || opts.Form != "" && opts.Form != FormBEIR {
			return nil, 0, assay.WithHint(assay.Usagef("%s is a folder", path), "a BEIR folder, or a test set of assay alone, can be imported as a folder")
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

// plan is what an import is about to write.
type plan struct {
	set     *Set
	opts    *ImportOptions
	ids     resolver
	queries []assay.Query
	place   map[string]int // query id → index in queries
	labels  []assay.Label
	orphans IDs // qrels without a query
	report  *Imported
}

// build turns what was parsed into queries and events.
func (p *plan) build(in *parsed) error {
	p.place = map[string]int{}
	labelled := map[string]bool{}
	for i := range in.records {
		rec := &in.records[i]
		id, err := p.query(rec)
		if err != nil {
			return err
		}
		for _, j := range rec.labels {
			p.label(id, j)
			labelled[id] = true
		}
	}
	for i := range in.qrels {
		q := &in.qrels[i]
		_, here := p.place[q.query]
		if _, there := p.set.Query(q.query); !here && !there {
			p.orphans.add(q.query)
			continue
		}
		p.label(q.query, q.judged)
		labelled[q.query] = true
	}
	if len(p.labels) == 0 && p.orphans.Count > 0 {
		return assay.WithHint(assay.Usagef("no query of the qrels is known: qrels %s, queries %s", quoted(p.orphans.First), quoted(p.known())),
			"import the queries and their qrels together: assay import TOPICS QRELS")
	}
	r := p.report
	r.Queries, r.Labels = len(p.queries), len(p.labels)
	for i := range p.queries {
		if !labelled[p.queries[i].ID] {
			r.Unlabelled++
		}
	}
	r.Known, r.Unknown = p.ids.known, p.ids.unknown
	if r.Checked && r.Unknown.Count > 0 {
		r.CorpusIDs = p.ids.samples()
	}
	return nil
}

// query adds the query of a record, once, and returns its id. An id that already names another text is
// refused: its labels would silently pass to the new question.
func (p *plan) query(rec *record) (string, error) {
	q := rec.query
	q.Text = strings.TrimSpace(q.Text)
	if q.ID == "" {
		q.ID = QueryID(q.Text, q.Filter)
	}
	if err := checkQuery(&q); err != nil {
		return "", assay.Classify(assay.Errorf(assay.KindMalformed, "", rec.where, "%w", err), assay.ErrUsage)
	}
	old, known := p.set.Query(q.ID)
	if i, ok := p.place[q.ID]; ok {
		old, known = p.queries[i], true
	}
	if known && (old.Text != q.Text || old.Filter.String() != q.Filter.String()) {
		return "", assay.WithHint(assay.Classify(assay.Errorf(assay.KindInvalid, "", rec.where, "query id %q already means %q, here it is %q", q.ID, old.Text, q.Text), assay.ErrUsage),
			"import into another test set, or give the queries ids of their own")
	}
	if _, ok := p.place[q.ID]; ok {
		return q.ID, nil
	}
	if known {
		q = old // keep what has been said of it since
	} else {
		q.Origin = &assay.Origin{Method: "import", Source: rec.where}
	}
	for _, t := range append(slices.Clone(rec.query.Tags), p.opts.Tags...) {
		if !slices.Contains(q.Tags, t) {
			q.Tags = append(slices.Clip(q.Tags), t)
		}
	}
	p.place[q.ID] = len(p.queries)
	p.queries = append(p.queries, q)
	return q.ID, nil
}

func (p *plan) label(query string, j judged) {
	grade := assay.MaxGrade
	switch {
	case j.grade != nil:
		grade = *j.grade
	case j.given != nil:
		grade, _ = p.opts.Scale.grade(*j.given)
	}
	by := p.opts.By
	if by == "" {
		by = assay.ByHuman
	}
	target := p.ids.target(j.id)
	if grade < assay.RelevantGrade && target.TextHash != "" {
		// Pools hold thousands of irrelevant passages: their key, place and hash are enough.
		target.Quote = ""
	}
	p.labels = append(p.labels, assay.Label{Query: query, Target: target, Event: assay.EventGrade,
		Grade: grade, Given: j.given, By: by, Who: or(p.opts.Who, "import"), Time: p.opts.Now})
}

// known are the first query ids that labels could have named.
func (p *plan) known() []string {
	from := p.queries
	if len(from) == 0 {
		from = p.set.Queries()
	}
	var out []string
	for i := range min(len(from), shownIDs) {
		out = append(out, from[i].ID)
	}
	return out
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
	if !r.Checked && r.Labels > 0 {
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
		add("negative_grades", "left out: %s with a negative grade, pooled but not judged", plural.Count(in.unread, "judgment"))
	}
	if fields := in.ignoredFields(); len(fields) > 0 {
		add("ignored_fields", "fields that were not read: %s", strings.Join(fields, ", "))
	}
}

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
