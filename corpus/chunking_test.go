package corpus_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/google/go-cmp/cmp"
	"github.com/rivo/uniseg"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/corpus"
)

func document(text, format string) *corpus.Document {
	return corpus.NewDocument(assay.Document{ID: "d", Text: text, Format: format})
}

func split(t testing.TB, doc *corpus.Document, c corpus.Chunking) []assay.Chunk {
	t.Helper()
	chunks, err := corpus.Split(doc, c)
	if err != nil {
		t.Fatal(err)
	}
	return chunks
}

// spans renders the places of chunks for comparison.
func spans(chunks []assay.Chunk) string {
	var out []string
	for _, c := range chunks {
		out = append(out, c.Span.String())
	}
	return strings.Join(out, " ")
}

type tb interface {
	Helper()
	Fatalf(string, ...any)
}

// checkChunks holds what every chunker promises.
func checkChunks(t tb, doc *corpus.Document, c corpus.Chunking, chunks []assay.Chunk) {
	t.Helper()
	boundary := map[int]bool{len(doc.Text): true}
	for g := graphemes.FromString(doc.Text); g.Next(); {
		boundary[g.Start()] = true
	}
	covered := 0
	last := assay.Span{Start: -1, End: 0}
	for _, k := range chunks {
		text, err := k.Span.In(doc.Text)
		if err != nil || text != k.Text || text == "" {
			t.Fatalf("%+v: chunk %s is %q, its span holds %q (%v)", c, k.ID, k.Text, text, err)
		}
		if k.Document != doc.ID || k.Version != doc.Version() {
			t.Fatalf("chunk %s names %s, %s", k.ID, k.Document, k.Version)
		}
		wantID := "d#" + k.Span.String()
		if c.By == corpus.ByNone {
			wantID = "d"
		}
		if k.ID != wantID {
			t.Fatalf("id %q, want %q", k.ID, wantID)
		}
		if !boundary[k.Span.Start] || !boundary[k.Span.End] {
			t.Fatalf("%+v: chunk %s of %q cuts a grapheme cluster", c, k.Span, doc.Text)
		}
		if k.Span.Start <= last.Start || k.Span.End <= last.End {
			t.Fatalf("%+v: chunk %s does not advance from %s", c, k.Span, last)
		}
		if gap := doc.Text[min(covered, k.Span.Start):k.Span.Start]; strings.TrimSpace(gap) != "" {
			t.Fatalf("%+v: %q before chunk %s is in no chunk", c, gap, k.Span)
		}
		// A prefixed sign glues words into one piece, which then counts as one.
		if c.By != corpus.ByNone && c.Size > 0 && !strings.Contains(k.Text, "\u0600") {
			if n := size(k.Text, c.Unit); n > c.Size && clusters(k.Text) > 1 {
				t.Fatalf("%+v: chunk %s holds %d units", c, k.Span, n)
			}
		}
		covered, last = max(covered, k.Span.End), *k.Span
	}
	if rest := doc.Text[covered:]; strings.TrimSpace(rest) != "" {
		t.Fatalf("%+v: %q at the end is in no chunk", c, rest)
	}
}

func clusters(s string) (n int) {
	for g := graphemes.FromString(s); g.Next(); {
		n++
	}
	return n
}

// size counts units in another way than the chunker: words by another library.
func size(s string, unit corpus.Unit) int {
	switch unit {
	case corpus.Byte:
		return len(s)
	case corpus.Char:
		return utf8.RuneCountInString(s)
	}
	n, state := 0, -1
	for s != "" {
		var w string
		w, s, state = uniseg.FirstWordInString(s, state)
		if w == "\u0e33" {
			continue // Thai sara am belongs to the cluster before it
		}
		if strings.ContainsFunc(w, func(r rune) bool {
			return unicode.IsLetter(r) || unicode.IsNumber(r)
		}) {
			n++
		}
	}
	return n
}

func TestC13EqualSentences(t *testing.T) {
	doc := document("Retry later. Retry later. Retry later.", corpus.FormatText)
	c := corpus.Chunking{By: corpus.BySentence, Size: 300, Overlap: 40, Unit: corpus.Word}
	chunks := split(t, doc, c)
	checkChunks(t, doc, c, chunks)
	if got := spans(chunks); got != "0-12 13-25 26-38" {
		t.Errorf("spans %s", got)
	}
	c = corpus.Chunking{By: corpus.ByFixed, Size: 2}
	if got := spans(split(t, doc, c)); got != "0-12 13-25 26-38" {
		t.Errorf("fixed, two words: spans %s", got)
	}
}

// TestC14LineEndingsStay: the canonical text keeps CRLF, so that spans are those of the file.
func TestC14LineEndingsStay(t *testing.T) {
	for text, want := range map[string]string{
		"# A\r\nx\r\n\r\n# B\r\nkeep 30 days\r\n": "0-6 10-27",
		"# A\nx\n\n# B\nkeep 30 days\n":           "0-5 7-23",
	} {
		doc := document(text, corpus.FormatMarkdown)
		chunks := split(t, doc, corpus.DefaultChunking)
		checkChunks(t, doc, corpus.DefaultChunking, chunks)
		if got := spans(chunks); got != want {
			t.Errorf("%q: sections %s, want %s", text, got, want)
		}
		last := chunks[len(chunks)-1]
		if at := last.Span.Start + strings.Index(last.Text, "keep"); text[at:at+12] != "keep 30 days" || at != strings.Index(text, "keep") {
			t.Errorf("keep 30 days at %d", at)
		}
		if last.Title != "B" && last.Title != "A > B" {
			t.Errorf("title %q", last.Title)
		}
	}
}

func TestC15SectionsAreCommonMarks(t *testing.T) {
	text := "Preface.\n\n" +
		"# One\n\n````\n```\n# not a heading\n```\n````\n\nafter the fence\n\n" +
		"Two\n===\n\ntext two\n\n" +
		"    # indented code\n\n> # quoted\n\n- # in a list\n\n" +
		"<!--\n# in a comment\n-->\n\n" +
		"Sub *title* `x`\n---\n\ntext sub\n\n####### seven\n\n#no blank\n\n## Closed ##\nend\n"
	doc := document(text, corpus.FormatMarkdown)
	chunks := split(t, doc, corpus.DefaultChunking)
	checkChunks(t, doc, corpus.DefaultChunking, chunks)
	type sec struct{ title, first string }
	var got []sec
	for _, c := range chunks {
		first, _, _ := strings.Cut(c.Text, "\n")
		got = append(got, sec{c.Title, first})
	}
	want := []sec{
		{"One", "Preface."}, // before the first heading: the document's title
		{"One", "# One"},
		{"One > Two", "Two"},
		{"One > Two > Sub title x", "Sub *title* `x`"},
		{"One > Two > Closed", "## Closed ##"},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(sec{})); diff != "" {
		t.Error(diff)
	}
}

func TestC16ClustersStayWhole(t *testing.T) {
	texts := map[string]string{
		"ellipses":  strings.Repeat("…", 2000),
		"emoji":     strings.Repeat("👩\u200d🚒", 300),
		"combining": strings.Repeat("e\u0301", 1000),
		"chinese":   strings.Repeat("备份保留三十天。", 500),
		"thai":      strings.Repeat("กำสำรองข้อมูลทุกคืน ", 200),
		"flags":     strings.Repeat("🇩🇪🇫🇷", 200),
		"hangul":    strings.Repeat("한국어", 300),
		"sign":      strings.Repeat("\u0600 12 ", 100),
		"marked":    strings.Repeat(" \u0301a", 100),
	}
	for name, text := range texts {
		for _, by := range []corpus.By{corpus.ByFixed, corpus.BySentence, corpus.ByHeading} {
			for _, c := range []corpus.Chunking{
				{By: by, Size: 1, Unit: corpus.Byte}, {By: by, Size: 300, Overlap: 40, Unit: corpus.Word},
				{By: by, Size: 41, Overlap: 40, Unit: corpus.Byte}, {By: by, Size: 7, Overlap: 3, Unit: corpus.Char},
				{By: by, Size: 2, Overlap: 1, Unit: corpus.Word},
			} {
				doc := document(text, corpus.FormatText)
				chunks := split(t, doc, c)
				checkChunks(t, doc, c, chunks)
				checkClusters(t, doc.Text, chunks)
				if name == "chinese" && by != corpus.BySentence && c.Size == 300 && len(chunks) < 10 {
					t.Errorf("%+v: %d chunks of %d characters", c, len(chunks), utf8.RuneCountInString(text))
				}
			}
		}
	}
	doc := document(texts["chinese"], corpus.FormatText)
	if n := len(split(t, doc, corpus.Chunking{By: corpus.BySentence})); n != 500 {
		t.Errorf("%d Chinese sentences, want 500", n)
	}
}

// checkClusters asks a second library about cuts.
func checkClusters(t *testing.T, text string, chunks []assay.Chunk) {
	t.Helper()
	ends := map[int]bool{0: true}
	at, state := 0, -1
	for rest := text; rest != ""; {
		var c string
		c, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		at += len(c)
		ends[at] = true
	}
	for _, c := range chunks {
		if !ends[c.Span.Start] || !ends[c.Span.End] {
			t.Fatalf("chunk %s of %.40q… cuts a cluster", c.Span, text)
		}
	}
}

// words draws text with structure and trouble in it.
var words = rapid.SampledFrom([]string{
	"backup", "keep", "30", "days.", "a", "Why?", "Dr. No", "e.g. this", "“quoted.”", "—", "…", "💩", "👩\u200d🚒", "é", "e\u0301",
	"备份保留三十天。", "สำรองข้อมูล", "\n", "\r\n", "\n\n", "\r\n\r\n", "  ", "\u00a0", "\u2028", "\n# Heading\n", "\n## Sub\n\n", "\nSet\n===\n", "\n```\n# no\n```\n",
	"\n- item\n", "\n> q\n", "\n1. one\n", "\n| a | b |\n", "\u200b", "\u0301", "\u0600", strings.Repeat("x", 200), "https://a.b/c?d=e", "🇩", "\u200d", "\ufeff", "\t", "!",
})

func anyDocument(t *rapid.T) *corpus.Document {
	text := strings.Join(rapid.SliceOfN(words, 0, 80).Draw(t, "words"), rapid.SampledFrom([]string{"", " "}).Draw(t, "sep"))
	return document(text, rapid.SampledFrom([]string{corpus.FormatText, corpus.FormatMarkdown, corpus.FormatHTML}).Draw(t, "format"))
}

func anyChunking(t *rapid.T) corpus.Chunking {
	c := corpus.Chunking{
		By:   rapid.SampledFrom([]corpus.By{corpus.ByHeading, corpus.BySentence, corpus.ByFixed, corpus.ByNone}).Draw(t, "by"),
		Size: rapid.IntRange(0, 60).Draw(t, "size"),
		Unit: rapid.SampledFrom([]corpus.Unit{corpus.Word, corpus.Char, corpus.Byte}).Draw(t, "unit"),
	}
	if c.By == corpus.ByFixed {
		c.Size++
	}
	if c.Size > 1 {
		c.Overlap = rapid.IntRange(0, c.Size-1).Draw(t, "overlap")
	}
	return c
}

func TestEveryChunkerKeepsItsPromises(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		doc, c := anyDocument(t), anyChunking(t)
		chunks, err := corpus.Split(doc, c)
		if err != nil {
			t.Fatal(err)
		}
		checkChunks(t, doc, c, chunks)
	})
}

// TestOverlapIsShared: consecutive chunks of plain words share what was asked for.
func TestOverlapIsShared(t *testing.T) {
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, "w%d ", i)
	}
	doc := document(b.String(), corpus.FormatText)
	chunks := split(t, doc, corpus.Chunking{By: corpus.ByFixed, Size: 100, Overlap: 20})
	for i, c := range chunks {
		if n := len(strings.Fields(c.Text)); n != 100 && i < len(chunks)-1 {
			t.Errorf("chunk %d holds %d words", i, n)
		}
		if want := fmt.Sprintf("w%d ", 80*i); !strings.HasPrefix(c.Text, want) {
			t.Errorf("chunk %d begins %.10q, want %q", i, c.Text, want)
		}
	}
	if len(chunks) != 13 { // 80 new words each after the first 100
		t.Errorf("%d chunks", len(chunks))
	}
}

// TestLargeOverlapAdvances: a good place to cut is not taken where the overlap would swallow the chunk.
func TestLargeOverlapAdvances(t *testing.T) {
	text := strings.Repeat("Word "+strings.Repeat("word ", 58)+"end. ", 50) // a sentence end every 60 words
	chunks := split(t, document(text, corpus.FormatMarkdown), corpus.Chunking{By: corpus.ByHeading, Size: 100, Overlap: 80})
	for i := 1; i < len(chunks); i++ {
		if step := len(strings.Fields(text[chunks[i-1].Span.Start:chunks[i].Span.Start])); step < 10 {
			t.Fatalf("chunk %d begins %d words after the one before", i, step)
		}
	}
}

func TestLongSectionsAreCutAtTheBestPlace(t *testing.T) {
	para := strings.Repeat("Ten words in a row make one sentence of this. ", 8)
	doc := document("# T\n\n"+para+"\n\n"+para+"\n\n"+para+"\n", corpus.FormatMarkdown)
	chunks := split(t, doc, corpus.Chunking{By: corpus.ByHeading, Size: 100, Unit: corpus.Word})
	if len(chunks) != 3 {
		t.Fatalf("%d chunks: %s", len(chunks), spans(chunks))
	}
	for i, c := range chunks {
		if body := strings.TrimPrefix(c.Text, "# T\n\n"); body != strings.TrimSpace(para) {
			t.Errorf("chunk %d is not one paragraph: %q", i, c.Text)
		}
		if c.Title != "T" {
			t.Errorf("chunk %d has the title %q", i, c.Title)
		}
	}
	chunks = split(t, doc, corpus.Chunking{By: corpus.ByHeading, Size: 25, Unit: corpus.Word})
	for _, c := range chunks {
		if !strings.HasSuffix(c.Text, ".") {
			t.Errorf("chunk ends within a sentence: %q", c.Text)
		}
	}
}

func TestSplitRefuses(t *testing.T) {
	for _, c := range []corpus.Chunking{
		{}, {By: "headings"}, {By: corpus.ByFixed}, {By: corpus.ByFixed, Size: -1}, {By: corpus.ByFixed, Size: 10, Overlap: 10},
		{By: corpus.ByFixed, Size: 10, Overlap: -1}, {By: corpus.ByFixed, Size: 10, Unit: "words"},
	} {
		if _, err := corpus.Split(document("x", ""), c); err == nil {
			t.Errorf("%+v is accepted", c)
		}
	}
	_, err := corpus.Split(document("x", ""), corpus.Chunking{By: "headings"})
	if !strings.Contains(fmt.Sprint(err), `did you mean "heading"?`) {
		t.Errorf("message %q", err)
	}
}

func TestEmptyTextsHaveNoChunks(t *testing.T) {
	for _, text := range []string{"", " \n\t\u00a0", "\r\n\r\n", "---\ntitle: x\n---\n\n"} {
		for _, by := range []corpus.By{corpus.ByHeading, corpus.BySentence, corpus.ByFixed} {
			doc := document(text, corpus.FormatMarkdown)
			if got := split(t, doc, corpus.Chunking{By: by, Size: 10}); len(got) != 0 {
				t.Errorf("%q by %s: %v", text, by, got)
			}
		}
	}
}

func FuzzSplit(f *testing.F) {
	for _, s := range []string{"# A\r\nx\r\n\r\n# B\r\n", "---\na: b\n---\nText. More.", "e\u0301\u0301", "\u0600 \u0301", "a\n===\n>>>> # b\n", "🇩🇪🇩", "\xff"} {
		f.Add(s, 5, 2, byte(0))
		f.Add(s, 1, 0, byte(7))
	}
	f.Fuzz(func(t *testing.T, text string, size, overlap int, kind byte) {
		if !utf8.ValidString(text) {
			return // the sources refuse it
		}
		size = min(max(size, 1), 100)
		c := corpus.Chunking{Size: size, Overlap: min(max(overlap, 0), size-1)}
		c.By = []corpus.By{corpus.ByHeading, corpus.BySentence, corpus.ByFixed, corpus.ByNone}[kind&3]
		c.Unit = []corpus.Unit{corpus.Word, corpus.Char, corpus.Byte, ""}[kind>>2&3]
		doc := document(text, []string{corpus.FormatText, corpus.FormatMarkdown}[kind>>4&1])
		chunks, err := corpus.Split(doc, c)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(text, "---") && !strings.HasPrefix(text, "+++") {
			checkChunks(t, doc, c, chunks)
		}
	})
}
