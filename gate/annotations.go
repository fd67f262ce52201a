package gate

import (
	"fmt"
	"io"
	"strings"
)

// WriteAnnotations writes the verdict as workflow commands of GitHub Actions, which shows them at the rule in the
// configuration: an error for what fails the gate, a warning for what is let through, a notice for a pass.
func WriteAnnotations(w io.Writer, v *Verdict) error {
	var b strings.Builder
	decided := v.Outcome == Pass
	for i := range v.Rules {
		r := &v.Rules[i]
		decided = decided || r.Outcome == v.Outcome
		if r.Outcome == Pass {
			continue
		}
		level := "warning"
		if r.Outcome.Failed(v.Policy) {
			level = "error"
		}
		annotate(&b, level, r.Where, r.Rule+": "+string(r.Outcome), r.Reason)
	}
	switch {
	case v.Outcome == Pass:
		annotate(&b, "notice", "", "assay gate: pass", v.Reason)
	case !decided:
		annotate(&b, "error", "", "assay gate: "+string(v.Outcome), v.Reason)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// annotate writes one command. Both parts are escaped the way the runner undoes it, so that no text can begin another.
func annotate(b *strings.Builder, level, where, title, message string) {
	var properties []string
	if file, line, ok := cutLast(where, ":"); ok {
		properties = append(properties, "file="+property.Replace(file), "line="+property.Replace(line))
	}
	properties = append(properties, "title="+property.Replace(title))
	fmt.Fprintf(b, "::%s %s::%s\n", level, strings.Join(properties, ","), data.Replace(message))
}

var (
	data     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}
