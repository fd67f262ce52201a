package testset

import (
	"bytes"
	"slices"
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

// sniff guesses what a file holds from its first bytes, cut after the last whole line; where kinds are given it is one of
// those if it can be. A file of lines is what most of its lines are, so that one bad line is reported as such, with
// its number, and does not turn every judgment into a query.
func sniff(head []byte, queryField string, kinds []kind) (kind, error) {
	text := strings.TrimSpace(string(head))
	if text == "" {
		return kindUnknown, nil
	}
	lines := strings.Split(text, "\n")
	may := func(k kind) bool { return kinds == nil || slices.Contains(kinds, k) }
	header := splitHeader(lines[0], queryField)
	lower := strings.ToLower(text)
	switch {
	case may(kindJSON) && (text[0] == '[' || text[0] == '{' || most(lines, jsonLine)):
		return kindJSON, nil
	case may(kindTopics) && (strings.HasPrefix(lower, "<top") || strings.Contains(lower, "\n<top")):
		return kindTopics, nil
	case may(kindQrelsTSV) && contains(header, "query-id") && contains(header, "corpus-id"):
		return kindQrelsTSV, nil
	case may(kindCSV) && contains(header, queryField) && columns(header):
		return kindCSV, nil
	case !slices.Contains(kinds, kindText) && most(lines, runLine):
		return kindUnknown, assay.WithHint(assay.Usagef("this is a run (query Q0 document rank score tag), not queries or labels"), "a run is scored against qrels: assay score QRELS RUN")
	case may(kindQrels) && most(lines, nearQrelsLine):
		return kindQrels, nil
	case may(kindQrelsTSV) && most(lines, qrelsTSVLine):
		return kindQrelsTSV, nil
	case may(kindTopicsTSV) && most(lines, func(l string) bool { return strings.Count(strings.TrimSpace(l), "\t") == 1 }):
		return kindTopicsTSV, nil
	case kinds == nil && most(lines, shortQrelsLine):
		return kindUnknown, assay.WithHint(assay.Usagef("these are qrels of three fields apart by blanks"),
			"apart by tabs they are BEIR's (query-id, corpus-id, score), with a column of zeros after the first they are TREC's: awk '{print $1, 0, $2, $3}' FILE")
	case len(kinds) == 1:
		return kinds[0], nil
	}
	return kindText, nil
}

// jsonLine reports an object.
func jsonLine(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "{") && strings.HasSuffix(line, "}") && strings.Contains(line, `":`)
}

// runLine reports a line of a TREC run.
func runLine(line string) bool {
	f := strings.FieldsFunc(line, asciiBlank)
	return len(f) == 6 && strings.EqualFold(f[1], "Q0") && numeric(f[3]) && numeric(f[4])
}

func qrelsTSVLine(line string) bool {
	f := strings.Split(line, "\t")
	return len(f) == 3 && numeric(strings.TrimSpace(f[2]))
}

// shortQrelsLine tells "q1 d7 1" from a question that ends in a year: grades are small, and ids hold digits.
func shortQrelsLine(line string) bool {
	f := strings.FieldsFunc(line, asciiBlank)
	return len(f) == 3 && numeric(f[2]) && len(f[2]) <= 2 && strings.ContainsAny(f[0], "0123456789") && strings.ContainsAny(f[1], "0123456789")
}

// splitHeader reads the first line as column names.
func splitHeader(line, queryField string) []string {
	line = strings.TrimRight(line, "\r")
	fields := strings.Split(line, separator(line, queryField))
	for i := range fields {
		fields[i] = columnName(fields[i])
	}
	return fields
}

// columnName folds the spelling of a column.
func columnName(s string) string { return strings.ToLower(strings.Trim(strings.TrimSpace(s), `"`)) }

// separator is a tab where the header has one, a semicolon where it parts the query's column from others, as spreadsheets
// of half of Europe write it, else a comma.
func separator(header, queryField string) string {
	if strings.Contains(header, "\t") {
		return "\t"
	}
	named := func(sep string) int {
		fields := strings.Split(strings.TrimRight(header, "\r"), sep)
		for i := range fields {
			fields[i] = columnName(fields[i])
		}
		if !contains(fields, queryField) {
			return 0
		}
		return len(fields)
	}
	if named(";") > max(named(","), 1) {
		return ";"
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

// most reports whether more than half of the lines that are not blank are of a kind.
func most(lines []string, ok func(string) bool) bool {
	n, yes := 0, 0
	for _, l := range lines {
		if strings.TrimSpace(l) == "" {
			continue
		}
		n++
		if ok(strings.TrimRight(l, "\r")) {
			yes++
		}
	}
	return 2*yes > n
}

// qrelsLine tells "q1 0 d7 1" from a question of four words that ends in a year.
func qrelsLine(line string) bool {
	f := strings.FieldsFunc(line, asciiBlank)
	return len(f) == 4 && (numeric(f[1]) || strings.EqualFold(f[1], "Q0")) && numeric(f[3])
}

// nearQrelsLine also takes a line of qrels with a blank in its document's id, which is no qrels but no question either.
func nearQrelsLine(line string) bool {
	f := strings.FieldsFunc(line, asciiBlank)
	return qrelsLine(line) || len(f) > 4 && (f[1] == "0" || strings.EqualFold(f[1], "Q0")) && numeric(f[len(f)-1])
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
