package testset

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
)

// Form is a file format of queries and labels.
type Form string

// The forms that import reads and export writes.
const (
	FormAssay Form = "assay" // a folder with queries.jsonl and labels.jsonl as assay keeps them
	FormJSON  Form = "json"  // {"query","relevant_chunk_id"} or "relevant_ids" or neither: an array, or one object a line
	FormCSV   Form = "csv"   // the same as columns, separated by commas or tabs
	FormText  Form = "text"  // a query a line
	FormBEIR  Form = "beir"  // a folder with queries.jsonl and qrels/<split>.tsv, or such files by name
	FormTREC  Form = "trec"  // topics (<top> or "qid<TAB>text") and qrels ("qid 0 docid grade")
)

// Forms lists all forms.
func Forms() []Form { return []Form{FormAssay, FormJSON, FormCSV, FormText, FormBEIR, FormTREC} }

// ParseForm reads the name of a form.
func ParseForm(name string) (Form, error) {
	for _, f := range Forms() {
		if string(f) == strings.ToLower(name) {
			return f, nil
		}
	}
	return "", assay.Usagef("unknown format %q (known: %s)", name, list(Forms()))
}

// kind is what one file holds.
type kind int

const (
	kindUnknown   kind = iota
	kindJSON           // objects with a query
	kindCSV            // columns with a header
	kindText           // a query a line
	kindTopics         // <top> … </top>
	kindTopicsTSV      // qid<TAB>text
	kindQrels          // qid iter docid grade
	kindQrelsTSV       // qid<TAB>docid<TAB>grade, with or without BEIR's header
)

// form is the form that a kind of file belongs to.
func (k kind) form() Form {
	return [...]Form{"", FormJSON, FormCSV, FormText, FormTREC, FormTREC, FormTREC, FormBEIR}[k]
}

// allowed lists what the files of a forced form may hold. BEIR's queries are JSON lines.
var allowed = map[Form][]kind{
	FormJSON: {kindJSON},
	FormCSV:  {kindCSV},
	FormText: {kindText},
	FormBEIR: {kindJSON, kindQrelsTSV},
	FormTREC: {kindTopics, kindTopicsTSV, kindQrels},
}

// sniff guesses what a file holds from its first bytes, cut after the last whole line.
func sniff(head []byte, queryField string) kind {
	text := strings.TrimSpace(string(head))
	if text == "" {
		return kindUnknown
	}
	if text[0] == '[' || text[0] == '{' {
		return kindJSON
	}
	if lower := strings.ToLower(text); strings.HasPrefix(lower, "<top") || strings.Contains(lower, "\n<top") {
		return kindTopics
	}
	lines := strings.Split(text, "\n")
	header := splitHeader(lines[0])
	switch {
	case contains(header, "query-id") && contains(header, "corpus-id"):
		return kindQrelsTSV
	case contains(header, queryField) && columns(header):
		return kindCSV
	case every(lines, func(l string) bool { return qrelsLine(l) }):
		return kindQrels
	case every(lines, func(l string) bool {
		f := strings.Split(l, "\t")
		return len(f) == 3 && numeric(strings.TrimSpace(f[2]))
	}):
		return kindQrelsTSV
	case every(lines, func(l string) bool { return strings.Count(strings.TrimSpace(l), "\t") == 1 }):
		return kindTopicsTSV
	}
	return kindText
}

// splitHeader reads the first line as column names.
func splitHeader(line string) []string {
	line = strings.TrimRight(line, "\r")
	sep := separator(line)
	fields := strings.Split(line, sep)
	for i := range fields {
		fields[i] = columnName(fields[i])
	}
	return fields
}

// columnName folds the spelling of a column.
func columnName(s string) string { return strings.ToLower(strings.Trim(strings.TrimSpace(s), `"`)) }

// separator is a tab where the header has one, else a comma.
func separator(header string) string {
	if strings.Contains(header, "\t") {
		return "\t"
	}
	return ","
}

// columns tells a header from a sentence with commas: the names of columns hold no blank.
func columns(header []string) bool {
	for _, name := range header {
		if strings.ContainsAny(name, " ?") {
			return false
		}
	}
	return true
}

func contains(fields []string, name string) bool {
	for _, f := range fields {
		if f == strings.ToLower(name) {
			return true
		}
	}
	return false
}

func every(lines []string, ok func(string) bool) bool {
	n := 0
	for _, l := range lines {
		if strings.TrimSpace(l) == "" {
			continue
		}
		if !ok(strings.TrimRight(l, "\r")) {
			return false
		}
		n++
	}
	return n > 0
}

// qrelsLine tells "q1 0 d7 1" from a question of four words that ends in a year.
func qrelsLine(line string) bool {
	f := strings.FieldsFunc(line, asciiBlank)
	return len(f) == 4 && (numeric(f[1]) || strings.EqualFold(f[1], "Q0")) && numeric(f[3])
}

func numeric(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

// wholeLines drops the cut last line of a file's head, unless it is the only one.
func wholeLines(head []byte, complete bool) []byte {
	if complete {
		return head
	}
	if i := bytes.LastIndexByte(head, '\n'); i > 0 {
		return head[:i]
	}
	return head
}
