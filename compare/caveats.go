package compare

import (
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/plural"
	"github.com/assay-eval/assay/ledger"
)

// caveats collects what is said before any number, each once.
type caveats []assay.Warning

func (c *caveats) add(code, format string, args ...any) {
	w := assay.Warning{Code: code, Text: fmt.Sprintf(format, args...)}
	for _, have := range *c {
		if have == w {
			return
		}
	}
	*c = append(*c, w)
}

// ofPair says what makes two sides unlike in more than one thing.
func (c *caveats) ofPair(a, b *SideInfo, p *Pair) {
	if !p.Known {
		c.add("fingerprint_unknown", "nothing is recorded of how %s came about, so nobody can say what else differs", unknown(a, b))
		return
	}
	if changed(p.Changes, "testset.queries") {
		c.add("testset_differs", "%s and %s were run on different versions of the test set; queries are matched by id", a.Name, b.Name)
	}
	if changed(p.Changes, "testset.labels") {
		c.add("labels_differ", "%s and %s were recorded with different labels; both are scored with today's", a.Name, b.Name)
	}
	switch t := things(p.Changes); {
	case a.Run != "" && a.Run == b.Run:
		c.add("same_run", "%s and %s are the same run", a.Name, b.Name)
	case len(p.Changes) == 0:
		c.add("nothing_changed", "%s and %s have the same fingerprint: what differs between them is what the system itself varies by", a.Name, b.Name)
	case len(t) > 1:
		c.add("several_changes", "%s and %s differ in %d things, and a difference in scores cannot be put down to one of them: %s",
			a.Name, b.Name, len(t), strings.Join(t, ", "))
	}
}

// unknown names the sides without a fingerprint.
func unknown(sides ...*SideInfo) string {
	var names []string
	for _, s := range sides {
		if len(s.Fingerprint) == 0 {
			names = append(names, s.Name)
		}
	}
	return strings.Join(names, " and ")
}

// ofSide says what is odd about one side.
func (c *caveats) ofSide(s *SideInfo) {
	if !s.Finished {
		c.add("unfinished", "%s is not finished: only the queries it has so far are compared", s.Name)
	}
	for _, d := range s.Drift {
		c.add("recorded_differs", "%s of %s was recorded as %.4f and is %.4f with today's labels; `assay rescore` records it anew", d.Measure, s.Name, d.Recorded, d.Now)
	}
}

// ofMatching says how many queries are left out, and why.
func (c *caveats) ofMatching(m *Matching) {
	for i := range m.Only {
		g := &m.Only[i]
		c.add("left_out", "%s, and left out", strings.TrimSuffix(g.String(), "."))
	}
	if m.Failed > 0 {
		c.add("failed_left_out", "%s left out because one side failed on it: what it would have scored is unknown", plural.Count(m.Failed, "query is", "queries are"))
	}
}

// diff names every key in which two sides differ; known is false where one of them has no fingerprint.
func diff(a, b *SideInfo) (changes []ledger.Change, known bool) {
	if len(a.Fingerprint) == 0 || len(b.Fingerprint) == 0 {
		return []ledger.Change{}, false
	}
	return append([]ledger.Change{}, a.Fingerprint.Diff(b.Fingerprint)...), true
}
