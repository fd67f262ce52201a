package anchor_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/anchor"
	"pgregory.net/rapid"
)

// TestC14LineEndings: a document saved with other line endings moves its labels, it does not lose them.
func TestC14LineEndings(t *testing.T) {
	crlf := "# A\r\nx\r\n\r\n# B\r\nkeep 30 days\r\n"
	lf := strings.ReplaceAll(crlf, "\r\n", "\n")
	m, _ := anchor.Find(crlf, "keep 30 days")
	if m.Span != (assay.Span{Start: 15, End: 27}) {
		t.Fatalf("found at %s, want 15-27", m.Span)
	}
	a, err := anchor.New(&assay.Document{ID: "a.md", Text: crlf}, m.Span)
	if err != nil {
		t.Fatal(err)
	}
	r, err := anchor.Relocate(a, lf)
	if err != nil || r.Status != anchor.Moved || r.Anchor.Span() != (assay.Span{Start: 11, End: 23}) {
		t.Fatalf("relocated to %+v, %v; want moved to 11-23", r, err)
	}
	if r.Anchor.Document != "a.md" || r.Anchor.Version != assay.HashText(lf) {
		t.Errorf("anchor %+v", r.Anchor)
	}
	if err := anchor.Verify(&r.Anchor, lf); err != nil {
		t.Error(err)
	}
	back, err := anchor.Relocate(r.Anchor, crlf)
	if err != nil || back.Anchor != a {
		t.Errorf("and back: %+v, %v", back, err)
	}
}

func TestRelocate(t *testing.T) {
	const old = `# Backups

Nightly backups run at two. They are kept 30 days in the vault.

# Logs

Access logs are rotated weekly. They are kept 30 days on disk.
`
	tests := map[string]struct {
		quote  string // its first place in old
		edit   func(string) string
		status anchor.Status
		method anchor.Method
		want   string // text around the new place
	}{
		"untouched": {"kept 30 days", func(s string) string { return s }, anchor.Kept, anchor.Exact, "kept 30 days in"},
		"edited after": {"kept 30 days", func(s string) string { return s + "\nMore.\n" },
			anchor.Kept, anchor.Exact, "kept 30 days in"},
		"edited before, two places": {"kept 30 days", func(s string) string { return "Preface.\n\n" + s },
			anchor.Moved, anchor.Exact, "kept 30 days in"},
		"sections swapped": {"kept 30 days", func(s string) string {
			i := strings.Index(s, "# Logs")
			return s[i:] + "\n" + s[:i]
		}, anchor.Moved, anchor.Exact, "kept 30 days in"},
		"sentence deleted, twin left": {"kept 30 days", func(s string) string {
			return strings.Replace(s, "They are kept 30 days in the vault.", "They end up in the vault.", 1)
		}, anchor.Stale, "", ""},
		"rewrapped": {"Nightly backups run at two. They are kept", func(s string) string {
			return strings.ReplaceAll(s, "two. They", "two.\n  They")
		}, anchor.Moved, anchor.Normalised, "Nightly backups run at two.\n  They are kept"},
		"typing error mended": {"Access logs are rotated weekly. They are kept", func(s string) string {
			return strings.Replace(s, "logs are rotated", "logs are rotatd", 1)
		}, anchor.Moved, anchor.Fuzzy, "Access logs are rotatd weekly. They are kept"},
		"everything gone": {"Access logs are rotated weekly", func(string) string { return "New page.\n" }, anchor.Stale, "", ""},
		"emptied":         {"Access logs are rotated weekly", func(string) string { return "" }, anchor.Stale, "", ""},
		"section copied": {"Nightly backups run at two", func(s string) string {
			i := strings.Index(s, "# Logs")
			return "Now twice.\n\n" + s[:i] + s[:i] + s[i:]
		}, anchor.Ambiguous, anchor.Exact, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			at := strings.Index(old, tt.quote)
			a, err := anchor.New(&assay.Document{ID: "d", Text: old}, assay.Span{Start: at, End: at + len(tt.quote)})
			if err != nil {
				t.Fatal(err)
			}
			now := tt.edit(old)
			r, err := anchor.Relocate(a, now)
			if err != nil {
				t.Fatal(err)
			}
			if r.Status != tt.status || r.Method != tt.method {
				t.Fatalf("%s by %q, want %s by %q", r.Status, r.Method, tt.status, tt.method)
			}
			if r.Status == anchor.Stale || r.Status == anchor.Ambiguous {
				if r.Anchor != a {
					t.Errorf("the old anchor changed: %+v", r.Anchor)
				}
				return
			}
			if err := anchor.Verify(&r.Anchor, now); err != nil {
				t.Error(err)
			}
			if !strings.HasPrefix(now[r.Anchor.Start:], tt.want) {
				t.Errorf("now at %q, want %q", now[r.Anchor.Start:min(len(now), r.Anchor.Start+40)], tt.want)
			}
		})
	}
}

// TestRelocateNeverLies: whatever happens to a document, a kept or moved anchor holds its quote there,
// and text put around a document never makes a label stale.
func TestRelocateNeverLies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		doc := &assay.Document{ID: "d", Text: text("t").Filter(func(s string) bool { return s != "" }).Draw(t, "doc")}
		a, err := anchor.New(doc, span(t, doc.Text))
		if err != nil {
			t.Fatal(err)
		}
		now := text("t").Draw(t, "pre") + "\n" + doc.Text + "\n" + text("t").Draw(t, "post")
		r, err := anchor.Relocate(a, now)
		if err != nil {
			t.Fatal(err)
		}
		if r.Status == anchor.Stale && strings.TrimSpace(a.Quote) != "" && len(a.Before)+len(a.After) > 8 {
			t.Fatalf("%q is stale in %q", a.Quote, now)
		}
		if r.Status == anchor.Kept || r.Status == anchor.Moved {
			if err := anchor.Verify(&r.Anchor, now); err != nil {
				t.Fatal(err)
			}
		}
		r, err = anchor.Relocate(a, text("t").Draw(t, "other"))
		if err != nil {
			t.Fatal(err)
		}
	})
}

func benchProse(n int) string {
	words := strings.Fields("the a of backup vault keeps nightly thirty days log rotated weekly disk store query index chunk label score rank run")
	rng := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for b.Len() < n {
		fmt.Fprintf(&b, "%s%d ", words[rng.IntN(len(words))], rng.IntN(50))
	}
	return b.String()[:n]
}

// BenchmarkRelocate re-finds a 200-byte quote in an edited text of 1 MB, and a one-letter quote that
// stands everywhere.
func BenchmarkRelocate(b *testing.B) {
	old := benchProse(1 << 20)
	now := "Preface. " + old
	for name, s := range map[string]assay.Span{"200 bytes": {Start: 500_000, End: 500_200}, "one letter": {Start: 500_000, End: 500_001}} {
		a, err := anchor.New(&assay.Document{Text: old}, s)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := anchor.Relocate(a, now); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
