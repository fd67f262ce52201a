package testset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/assay-eval/assay"
)

// row is a query of JSON or CSV with one label, several of one grade, or none, field by field as it is read.
type row struct {
	query  assay.Query
	ids    []string
	given  *float64
	grade  *float64
	label  judged        // who judged it, and what they said beside a grade
	target *assay.Target // what was judged, in full
	own    bool          // written by assay, as its scale says: every field means what assay means by it
	judged bool          // an id stands in judged_chunk_id, which says nothing without a grade
	keep   bool          // belongs to the split, whatever the qrels say
}

// errForeign says that a field of a file that assay did not write means something else.
var errForeign = errors.New("field of another meaning")

// set reads one field. known is false for one that means nothing here.
func (r *row) set(key string, value json.RawMessage, opts *ImportOptions) (known bool, err error) {
	switch {
	case key == strings.ToLower(opts.queryField()) || key == opts.queryField():
		return true, json.Unmarshal(value, &r.query.Text)
	case key == opts.idsField() || key == strings.ToLower(opts.idsField()), opts.IDsField == "" && slices.Contains(idFields, key):
		return true, r.addIDs(value)
	}
	switch key {
	case "id", "_id", "query_id":
		r.query.ID, err = idString(value)
	case "judged_chunk_id":
		before := len(r.ids)
		err = r.addIDs(value)
		r.judged = len(r.ids) > before
	case "given":
		r.given, err = gradeOf(value)
	case "grade":
		if r.grade, err = gradeOf(value); err == nil && !r.own && opts.Scale == nil && r.grade != nil && *r.grade != math.Trunc(*r.grade) {
			err = assay.WithHint(fmt.Errorf("%s where a whole number is due", formatGrade(*r.grade)), "say what fractions mean: --map 0.5=2,1=3")
		}
	case "scale":
		return r.own, nil // read before the others
	case "tags":
		err = json.Unmarshal(value, &r.query.Tags)
	case "weight":
		err = json.Unmarshal(value, &r.query.Weight)
	case "filter":
		if string(value) != "null" {
			r.query.Filter, err = assay.ParseFilter(value)
		}
	case "origin", "source_document":
		err = r.setOrigin(key, value)
	case "metadata":
		err = r.setMetadata(value)
	case "by", "who", "note", "event", "time", "target":
		err = r.setLabel(key, value)
	default:
		return false, nil
	}
	if errors.Is(err, errForeign) {
		return false, nil
	}
	return true, err
}

// idFields are the names of relevant ids beside "relevant_ids".
var idFields = []string{"relevant_chunk_id", "relevant_id", "relevant_chunk_ids"}

func (r *row) addIDs(value json.RawMessage) error {
	ids, err := idList(value)
	for _, id := range ids {
		if !slices.Contains(r.ids, id) {
			r.ids = append(r.ids, id)
		}
	}
	return err
}

// gradeOf reads a grade of any scale.
func gradeOf(value json.RawMessage) (*float64, error) {
	if string(value) == "null" {
		return nil, nil
	}
	var n json.Number
	if err := json.Unmarshal(value, &n); err != nil {
		return nil, fmt.Errorf("%s is not a number", clip(value))
	}
	return numberOf(n.String())
}

// setOrigin reads how a query came to be. Another file's "origin" may be anything.
func (r *row) setOrigin(key string, value json.RawMessage) error {
	o := assay.Origin{}
	if r.query.Origin != nil {
		o = *r.query.Origin
	}
	document := o.Document
	if key == "source_document" {
		if err := json.Unmarshal(value, &o.Document); err != nil {
			return err
		}
	} else if err := strictly(value, &o); err != nil || o.Method == "" {
		return r.foreign(err)
	}
	if o.Document == "" {
		o.Document = document
	}
	r.query.Origin = &o
	return nil
}

// setMetadata reads what assay writes into the metadata of a BEIR query.
func (r *row) setMetadata(value json.RawMessage) error {
	if isEmpty(value) {
		return nil
	}
	var m beirMetadata
	if err := strictly(value, &m); err != nil || m.Assay == nil {
		return errForeign
	}
	own := m.Assay
	r.query.Tags, r.query.Filter, r.query.Weight, r.query.Origin, r.keep = own.Tags, own.Filter, own.Weight, own.Origin, own.Unlabelled
	return nil
}

// foreign is errForeign for a file of somebody else's, and err for assay's own.
func (r *row) foreign(err error) error {
	switch {
	case !r.own:
		return errForeign
	case err == nil:
		return errors.New("is not what assay writes")
	}
	return err
}

// setLabel reads who judged, and what they said.
func (r *row) setLabel(key string, value json.RawMessage) error {
	if (key == "event" || key == "time" || key == "target") && !r.own {
		return errForeign
	}
	var err error
	switch l := &r.label; key {
	case "by":
		if err = json.Unmarshal(value, &l.by); err == nil && !slices.Contains(knownRaters, l.by) {
			err, l.by = fmt.Errorf("%q is no kind of rater (known: %s)", l.by, list(knownRaters)), ""
		}
	case "who":
		err = json.Unmarshal(value, &l.who)
	case "note":
		err = json.Unmarshal(value, &l.note)
	case "event":
		if err = json.Unmarshal(value, &l.event); err == nil && l.event != assay.EventBadQuery && l.event != assay.EventBrokenText && l.event != "" {
			err = fmt.Errorf("%q is no verdict: %s or %s", l.event, assay.EventBadQuery, assay.EventBrokenText)
		}
	case "time":
		var t time.Time
		if err = json.Unmarshal(value, &t); err == nil {
			l.time = t.UTC()
		}
	case "target":
		var t assay.Target
		if err = strictly(value, &t); err == nil {
			r.target = &t
		}
	}
	if err != nil {
		return r.foreign(err)
	}
	return nil
}

// finish makes a record of what was read.
func (r *row) finish(where string, p *parsed, opts *ImportOptions) (record, error) {
	rec := record{query: r.query, where: where, keep: r.keep}
	if !utf8.ValidString(r.query.Text) {
		return rec, errors.New("not valid UTF-8")
	}
	j := r.label
	j.given = r.given
	if err := r.scale(&j); err != nil {
		return rec, err
	}
	if r.target != nil {
		if err := checkTarget(r.target); err != nil {
			return rec, err
		}
		if targetKey(r.target) == "" {
			return rec, errors.New("the target names neither chunk, document nor quote")
		}
		j.target, r.ids = r.target, []string{or(r.target.Chunk, r.target.Document)}
	}
	if j.event == assay.EventBadQuery {
		r.ids, j.target = []string{""}, nil
	}
	switch {
	case len(r.ids) == 0 && j.event != "":
		return rec, fmt.Errorf("the verdict %s names no passage", j.event)
	case r.judged && j.event == "" && r.grade == nil && r.given == nil:
		return rec, errors.New("judged_chunk_id without a grade")
	case r.own && len(r.ids) == 0 && r.grade != nil:
		return rec, errors.New("a grade without an id or a text that it is about")
	}
	for _, id := range r.ids {
		j.id = id
		if kept, ok := p.label(j, where, opts.Scale); ok {
			rec.labels = append(rec.labels, kept)
		}
	}
	return rec, nil
}

// scale settles which scale a grade is on. One beside a given grade is assay's own, as is one that says so; a grade alone
// is on the scale of whoever wrote the file.
func (r *row) scale(j *judged) error {
	switch {
	case r.grade == nil:
		return nil
	case r.given == nil && !r.own:
		j.given = r.grade
		return nil
	}
	g := assay.Grade(*r.grade)
	if float64(g) != *r.grade || g < 0 || g > assay.MaxGrade {
		return fmt.Errorf("grade %s is not one of assay's, 0 to %d", formatGrade(*r.grade), assay.MaxGrade)
	}
	j.grade = &g
	return nil
}

// checkQuery adds what to do about an object without a query.
func (r *row) checkQuery(raw []byte, has bool, field string) error {
	switch {
	case strings.TrimSpace(r.query.Text) != "":
		return nil
	case has:
		return assay.WithHint(fmt.Errorf("the query in %s is empty", clip(raw)), "write its text, or take the line out")
	}
	return assay.WithHint(fmt.Errorf("no %q in %s", field, clip(bytes.TrimSpace(raw))), "each object needs a query text; name its field with --query-field")
}

// strictly decodes a value all of whose keys are known.
func strictly(value json.RawMessage, v any) error {
	dec := json.NewDecoder(bytes.NewReader(value))
	dec.DisallowUnknownFields()
	return dec.Decode(v)
}
