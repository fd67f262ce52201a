package testset

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
)

// folder reads a folder of the form that its files say: BEIR has queries.jsonl, TREC topics and qrels. skipped counts the
// queries of a BEIR folder outside the split.
func (p *parsed) folder(dir string, opts *ImportOptions) (skipped int, err error) {
	_, noQueries := os.Stat(filepath.Join(dir, QueriesFile))
	switch {
	case opts.Form != "" && opts.Form != FormBEIR && opts.Form != FormTREC:
		return 0, assay.WithHint(assay.Usagef("%s is a folder, and %q is one file", dir, opts.Form), "name the file; beir, trec and assay can be imported as a folder")
	case opts.Form != FormTREC && noQueries == nil:
		return p.beirFolder(dir, opts)
	case opts.Form == FormBEIR:
		return 0, notFolder(dir)
	}
	topics, qrels, err := trecFiles(dir)
	if err != nil {
		return 0, err
	}
	return 0, p.trecFolder(topics, qrels, opts)
}

func notFolder(dir string) error {
	names := []string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return assay.Classify(err, assay.ErrUsage)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	has := "it is empty"
	if len(names) > 0 {
		has = "it has " + quoted(names[:min(len(names), shownIDs)])
		if more := len(names) - shownIDs; more > 0 {
			has += fmt.Sprintf(" and %d more", more)
		}
	}
	return assay.WithHint(assay.Usagef("%s is not a folder of queries: %s", dir, has),
		"a BEIR folder holds queries.jsonl and qrels/test.tsv, a TREC folder topics.tsv and qrels.txt, a test set queries.jsonl and labels.jsonl; other files are imported by name")
}

// trecFiles finds the topics and qrels of a folder: the names that export gives, else one file of topics and any number of
// qrels.
func trecFiles(dir string) (topics string, qrels []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", nil, assay.Classify(err, assay.ErrUsage)
	}
	var found []string
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch name := strings.ToLower(e.Name()); {
		case e.IsDir() || strings.HasPrefix(name, "."):
		case strings.Contains(name, "qrel"):
			qrels = append(qrels, path)
		case strings.Contains(name, "topic"):
			found = append(found, path)
		}
	}
	own := filepath.Join(dir, topicsFile)
	switch {
	case slices.Contains(found, own):
		topics = own
		if q := filepath.Join(dir, qrelsFile); slices.Contains(qrels, q) {
			qrels = []string{q}
		}
	case len(found) == 1:
		topics = found[0]
	case len(found) > 1:
		return "", nil, assay.WithHint(assay.Usagef("%s has several files of topics: %s", dir, quoted(found)), "name the one that is meant: assay import %s QRELS", found[0])
	default:
		return "", nil, notFolder(dir)
	}
	return topics, qrels, nil
}

// trecFolder reads topics and qrels that are known by their names, so that no line of them is taken for another form. Empty
// qrels, those of a set without labels, are no mistake here.
func (p *parsed) trecFolder(topics string, qrels []string, opts *ImportOptions) error {
	open := *opts
	open.Form = FormTREC
	open.kinds = []kind{kindTopics, kindTopicsTSV}
	if err := p.file(topics, &open); err != nil {
		return err
	}
	open.kinds = []kind{kindQrels}
	for _, path := range qrels {
		if info, err := os.Stat(path); err == nil && info.Size() == 0 {
			continue
		}
		if err := p.file(path, &open); err != nil {
			return err
		}
	}
	return nil
}

// beirFolder reads a BEIR folder. Where it has qrels of the split, only the queries they name are taken, as
// every tool that evaluates on BEIR does: the others belong to other splits. Qrels that judge nothing say nothing of that.
func (p *parsed) beirFolder(dir string, opts *ImportOptions) (skipped int, err error) {
	p.form = FormBEIR
	first, firstQrel := len(p.records), len(p.qrels) // what other files say is theirs
	open := *opts
	open.Form = FormBEIR
	open.kinds = []kind{kindJSON}
	if err := p.file(filepath.Join(dir, QueriesFile), &open); err != nil {
		return 0, err
	}
	path, err := splitFile(dir, opts.split(), opts.Split != "")
	if err != nil || path == "" {
		return 0, err
	}
	open.kinds = []kind{kindQrelsTSV}
	before := len(p.qrels) + p.unread
	if err := p.file(path, &open); err != nil {
		return 0, err
	}
	if len(p.qrels)+p.unread == before {
		return 0, nil
	}
	wanted := map[string]bool{}
	for i := range p.qrels[firstQrel:] {
		wanted[p.qrels[firstQrel+i].query] = true
	}
	mine := p.records[first:]
	if !slices.ContainsFunc(mine, func(r record) bool { return wanted[r.query.ID] || r.keep }) {
		return 0, noQuery(path, p.qrels[firstQrel:], mine)
	}
	kept := slices.DeleteFunc(slices.Clone(mine), func(r record) bool { return !wanted[r.query.ID] && !r.keep })
	p.records = append(p.records[:first], kept...)
	return len(mine) - len(kept), nil
}

// noQuery says that qrels and queries have no id in common.
func noQuery(path string, qrels []qrel, records []record) error {
	var judged, have IDs
	for i := range qrels {
		judged.add(qrels[i].query)
	}
	for i := range records {
		have.add(records[i].query.ID)
	}
	return assay.WithHint(assay.Usagef("no query of %s is in %s: it judges %s, the queries are %s", path, QueriesFile, quoted(judged.First), quoted(have.First)),
		"the ids have to be the same in both, to the character")
}

// splitFile finds the qrels of a split; "" when the folder has none and none was asked for.
func splitFile(dir, split string, asked bool) (string, error) {
	for _, path := range []string{filepath.Join(dir, "qrels", split+".tsv"), filepath.Join(dir, "qrels.tsv")} {
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
	}
	found, err := filepath.Glob(filepath.Join(dir, "qrels", "*.tsv"))
	if err != nil {
		return "", err
	}
	if others, _ := os.ReadDir(filepath.Join(dir, "qrels")); len(found) == 0 && len(others) > 0 {
		path := filepath.Join(dir, "qrels", others[0].Name())
		err := assay.Usagef("%s has no qrels that can be read: want qrels/%s.tsv, have %s", dir, split, path)
		if filepath.Ext(path) == ".gz" {
			return "", assay.WithHint(err, "unpack it first: gunzip -k %s", path)
		}
		return "", assay.WithHint(err, "name both files: assay import %s %s", filepath.Join(dir, QueriesFile), path)
	}
	if len(found) == 0 && !asked {
		return "", nil
	}
	for i := range found {
		found[i] = strings.TrimSuffix(filepath.Base(found[i]), ".tsv")
	}
	if len(found) == 0 {
		return "", assay.WithHint(assay.Usagef("%s has no qrels", dir), "leave --split out to import its queries without labels")
	}
	return "", assay.WithHint(assay.Usagef("%s has no qrels of split %q (splits: %s)", dir, split, strings.Join(found, ", ")), "assay import %s --split %s", dir, found[0])
}

// isSet reports whether path is a folder that holds a test set of assay: both its files, or queries as assay writes them
// with no qrels beside them.
func isSet(path string) bool {
	if _, err := os.Stat(filepath.Join(path, QueriesFile)); err != nil {
		return false
	}
	if _, err := os.Stat(filepath.Join(path, LabelsFile)); err == nil {
		return true
	}
	for _, qrels := range []string{"qrels", "qrels.tsv"} {
		if _, err := os.Stat(filepath.Join(path, qrels)); err == nil {
			return false
		}
	}
	f, err := os.Open(filepath.Join(path, QueriesFile))
	if err != nil {
		return false
	}
	defer f.Close()
	var first struct {
		ID   string `json:"id"`
		Text string `json:"text"`
	}
	return json.NewDecoder(f).Decode(&first) == nil && first.ID != "" && first.Text != ""
}
