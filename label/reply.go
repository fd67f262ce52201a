package label

import (
	"errors"
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/anchor"
	"github.com/assay-eval/assay/internal/strictjson"
	"github.com/assay-eval/assay/internal/untrusted"
	"github.com/assay-eval/assay/internal/words"
)

// Rule names what was wrong with a reply.
type Rule string

// The rules that a reply must keep to be a grade.
const (
	RuleReply     Rule = "reply"           // one JSON object of the form asked for, and nothing else
	RuleMissing   Rule = "quote_missing"   // relevant, and nothing quoted
	RuleShort     Rule = "quote_short"     // the quote is a single word
	RuleNotThere  Rule = "quote_not_found" // the quote does not stand in the passage
	RuleAmbiguous Rule = "quote_ambiguous" // the quote stands in it more than once
)

// repair is what the model is told when it is asked again. It is our text alone: nothing of the reply goes back.
var repair = map[Rule]string{
	RuleReply:     "it was not one JSON object of the form that was asked for",
	RuleMissing:   "its grade says that the passage answers the query, and it quoted nothing",
	RuleShort:     "its quote was a single word; quote the phrase or sentence that answers the query",
	RuleNotThere:  "its quote does not stand in the passage letter for letter",
	RuleAmbiguous: "its quote stands in the passage more than once; quote more of it",
}

// Refused is a reply that is no grade.
type Refused struct {
	Rule Rule
	Err  error
}

func (e *Refused) Error() string { return e.Err.Error() }

// Unwrap returns the cause, an assay.Error of KindMalformed with the reply in Raw.
func (e *Refused) Unwrap() error { return e.Err }

func refuse(rule Rule, raw, format string, args ...any) error {
	err := assay.Errorf(assay.KindMalformed, "judge", "", format, args...)
	err.Raw = head(raw)
	return &Refused{rule, err}
}

func head(text string) string {
	return strings.ToValidUTF8(text[:min(len(text), assay.RawLimit)], "")
}

// ruleOf is the rule that an error says was broken; RuleReply for a reply that was cut, empty or declined, "" for a call without reply.
func ruleOf(err error) Rule {
	var r *Refused
	if errors.As(err, &r) {
		return r.Rule
	}
	if assay.OfReply(err) {
		return RuleReply
	}
	return ""
}

// reply is what the model is asked for.
type reply struct {
	Quote string `json:"quote"`
	Grade int    `json:"grade"`
}

// parse reads a reply strictly: it must be the object and nothing else, and its grade one of the rubric.
func (r *Rubric) parse(text string) (reply, error) {
	v, err := strictjson.Parse[reply](text)
	if err != nil {
		return v, refuse(RuleReply, text, "the reply is not the JSON that was asked for: %w", err)
	}
	if _, ok := r.Grades[v.Grade]; !ok {
		return v, refuse(RuleReply, text, "the reply gives the grade %d, which the rubric %s does not have", v.Grade, r.Name)
	}
	return v, nil
}

// evidence finds the words that a reply quotes in the passage and anchors them: by place where the passage stands in a
// document.
func evidence(p *Passage, quote, raw string) (*assay.Anchor, error) {
	if strings.TrimSpace(quote) == "" {
		return nil, refuse(RuleMissing, raw, "the reply calls the passage relevant and quotes nothing of it")
	}
	m, ok := anchor.Find(p.Text, untrusted.Quote(p.Text, strings.TrimSpace(quote)))
	switch {
	case !ok || m.Method == anchor.Fuzzy:
		return nil, refuse(RuleNotThere, raw, "the reply calls the passage relevant, but its quote does not stand there: %q", shorten(quote))
	case !m.Unique:
		return nil, refuse(RuleAmbiguous, raw, "the quote of the reply stands in the passage more than once: %q", shorten(quote))
	case len(words.Of(quote)) < 2 && len(words.Of(p.Text)) >= 2:
		return nil, refuse(RuleShort, raw, "the quote of the reply is a single word: %q", shorten(quote))
	}
	a, err := p.Anchor(m.Span)
	if err != nil {
		return nil, fmt.Errorf("anchor the quote: %w", err)
	}
	if t := &p.Target; t.Anchored() && t.Span().Len() == len(p.Text) {
		a.Document, a.Version = t.Document, t.Version
		a.Start, a.End = a.Start+t.Start, a.End+t.Start
	}
	return &a, nil
}

func shorten(s string) string {
	const most = 80
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
