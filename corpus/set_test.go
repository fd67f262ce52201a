package corpus_test

import (
	"context"
	"errors"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/anchor"
	"github.com/assay-eval/assay/corpus"
	"github.com/assay-eval/assay/internal/shared"
)

func load(t testing.TB, spec corpus.Spec) *corpus.Set {
	t.Helper()
	src, err := corpus.Open(spec)
	if err != nil {
		t.Fatal(err)
	}
	set, err := corpus.Load(t.Context(), src)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func loadDocuments(t testing.TB, docs []assay.Document, c corpus.Chunking) *corpus.Set {
	t.Helper()
	src, err := corpus.FromDocuments("memory", docs, c)
	if err != nil {
		t.Fatal(err)
	}
	set, err := corpus.Load(context.Background(), src)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func TestSetLookups(t *testing.T) {
	root := tree(t, map[string]string{"a.md": "# A\n\none two three\n\n# B\n\nfour five six\n", "b.txt": "seven", "empty.txt": ""})
	set := load(t, corpus.Spec{Path: root})
	if set.Name() != root || len(set.Documents()) != 2 || len(set.Chunks()) != 3 || len(set.Skipped()) != 1 || set.Warnings() != nil {
		t.Fatalf("%d documents, %d chunks, skipped %v", len(set.Documents()), len(set.Chunks()), set.Skipped())
	}
	if d, ok := set.Document("a.md"); !ok || !strings.HasPrefix(d.Text, "# A") {
		t.Errorf("document %v, %v", d, ok)
	}
	c, ok := set.Chunk("a.md#0-18")
	if !ok || c.Text != "# A\n\none two three" {
		t.Errorf("chunk %v, %v", c, ok)
	}
	if _, ok := set.Document("c.md"); ok {
		t.Error("found a document that is not there")
	}
	if _, ok := set.Chunk("a.md"); ok {
		t.Error("found a chunk that is not there")
	}
	for span, want := range map[assay.Span]string{
		{Start: 5, End: 8}: "0-18", {Start: 18, End: 20}: "", {Start: 17, End: 21}: "0-18 20-38", {Start: 0, End: 99}: "0-18 20-38",
		{Start: 38, End: 50}: "", {Start: 7, End: 7}: "",
	} {
		var got []string
		for _, c := range set.Overlapping("a.md", span) {
			got = append(got, c.Span.String())
		}
		if strings.Join(got, " ") != want {
			t.Errorf("overlapping %s: %v, want %s", span, got, want)
		}
	}
	if set.Overlapping("z", assay.Span{End: 9}) != nil {
		t.Error("chunks of a document that is not there")
	}
}

func TestOverlappingAgainstScan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		doc, c := anyDocument(t), anyChunking(t)
		if strings.TrimSpace(doc.Text) == "" {
			return
		}
		src, err := corpus.FromDocuments("m", []assay.Document{doc.Document}, c)
		if err != nil {
			t.Fatal(err)
		}
		set, err := corpus.Load(context.Background(), src)
		if err != nil {
			t.Fatal(err)
		}
		start := rapid.IntRange(0, len(doc.Text)).Draw(t, "start")
		span := assay.Span{Start: start, End: start + rapid.IntRange(0, 50).Draw(t, "len")}
		var want, got []string
		for _, c := range set.Chunks() {
			if c.Span.Overlap(span) > 0 {
				want = append(want, c.ID)
			}
		}
		for _, c := range set.Overlapping("d", span) {
			got = append(got, c.ID)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestVersionFollowsContent(t *testing.T) {
	base := []assay.Document{{ID: "a", Text: "x"}, {ID: "b", Text: "y", Title: "t"}}
	v := func(docs []assay.Document, c corpus.Chunking) string { return loadDocuments(t, docs, c).Version() }
	none := corpus.Chunking{By: corpus.ByNone}
	want := v(base, none)
	if got := v([]assay.Document{base[1], base[0]}, corpus.Chunking{By: corpus.BySentence}); got != want {
		t.Error("the version depends on order or chunker")
	}
	for name, docs := range map[string][]assay.Document{
		"edited": {{ID: "a", Text: "x."}, base[1]}, "renamed": {{ID: "c", Text: "x"}, base[1]}, "removed": base[:1],
		"title": {base[0], {ID: "b", Text: "y"}}, "moved border": {{ID: "ax", Text: "x"}, base[1]}, "swapped": {{ID: "a", Text: "y", Title: "t"}, {ID: "b", Text: "x"}},
	} {
		if v(docs, none) == want {
			t.Errorf("%s: the version stays", name)
		}
	}
}

// index is a live index in memory.
type index []assay.Chunk

func (x index) ListChunks(context.Context, assay.ListOptions) iter.Seq2[assay.Chunk, error] {
	return func(yield func(assay.Chunk, error) bool) {
		for _, c := range x {
			if c.ID == "fail" {
				yield(assay.Chunk{}, errors.New("connection reset"))
				return
			}
			if !yield(c, nil) {
				return
			}
		}
	}
}

func TestLiveIndex(t *testing.T) {
	span := func(a, b int) *assay.Span { return &assay.Span{Start: a, End: b} }
	meta := map[string]any{"lang": "de"}
	x := index{
		{ID: "1", Text: "alone", Vector: []float32{1}},
		{ID: "2", Text: "named", Document: "d.md", Version: "v", Span: span(10, 15)},
		{ID: "3", Text: "größer", Document: "d.md", Span: span(0, 6), Metadata: meta}, // characters, not bytes
		{ID: "4", Text: "no span", Document: "d.md"},
		{ID: "5"}, {ID: "1", Text: "again"}, {Text: "no id"}, {ID: "6", Text: "bad \xff"},
	}
	src := corpus.FromIndex(x, "docs_v3")
	set, err := corpus.Load(t.Context(), src)
	if err != nil {
		t.Fatal(err)
	}
	own := func(id, text string) assay.Chunk {
		return assay.Chunk{ID: id, Document: id, Version: assay.HashText(text), Span: span(0, len(text)), Text: text}
	}
	three, four := own("3", "größer"), own("4", "no span")
	three.Metadata = map[string]any{"lang": "de", corpus.SourceDocument: "d.md"}
	four.Metadata = map[string]any{corpus.SourceDocument: "d.md"}
	want := []assay.Chunk{own("1", "alone"), x[1], three, four}
	if diff := cmp.Diff(want, set.Chunks()); diff != "" {
		t.Error(diff)
	}
	if len(meta) != 1 {
		t.Error("the index's own metadata was changed")
	}
	var skipped []string
	for _, s := range set.Skipped() {
		skipped = append(skipped, s.Error())
	}
	wantSkips := []string{
		`docs_v3: skipped: chunk "5" has no text`, `docs_v3: skipped: chunk "1" was listed before`, "docs_v3: skipped: a chunk without a key",
		`docs_v3: skipped: the text of chunk "6": invalid UTF-8: byte 0xff at offset 4 (line 1)`,
	}
	if diff := cmp.Diff(wantSkips, skipped); diff != "" {
		t.Error(diff)
	}
	if w := set.Warnings(); len(w) != 1 || w[0].Code != "span_misfit" || !strings.HasPrefix(w[0].Text, "1 chunk of docs_v3") {
		t.Errorf("warnings %v", w)
	}
	var docs []string
	for d, err := range src.Documents(t.Context()) {
		if err == nil {
			docs = append(docs, d.ID)
		}
	}
	if diff := cmp.Diff([]string{"1", "3", "4"}, docs); diff != "" {
		t.Error(diff)
	}
	if loc, ok := set.Locate("named"); !ok || loc.Place != (anchor.Place{Document: "d.md", Span: *span(10, 15)}) {
		t.Errorf("located %+v, %v", loc, ok)
	}
}

func TestLiveIndexFails(t *testing.T) {
	for name, tt := range map[string]struct {
		index index
		want  string
	}{
		"empty":     {index{}, "holds no chunks"},
		"no text":   {index{{ID: "1"}, {ID: "2"}}, "none of the 2 chunks of q has a usable text"},
		"goes away": {index{{ID: "1", Text: "x"}, {ID: "fail"}, {ID: "2", Text: "y"}}, "connection reset"},
	} {
		set, err := corpus.Load(t.Context(), corpus.FromIndex(tt.index, "q"))
		if err == nil || !strings.Contains(err.Error(), tt.want) || name != "goes away" && assay.Hint(err) == "" {
			t.Errorf("%s: %v, error %v, hint %q", name, set, err, assay.Hint(err))
		}
	}
}

func TestLocate(t *testing.T) {
	long := "Nightly backups are kept for thirty days before the pruner removes them from the store for good."
	docs := []assay.Document{
		{ID: "a", Title: "Backups", Text: "Preface, not short at all, to move things.\n\n" + long + "\n\nMore."},
		{ID: "b", Text: "Other things stand here, and they are “quoted” —\nso that folding\u00a0has something to do with all of it…"},
		{ID: "c", Text: "short twin. " + strings.Repeat("The same sentence stands here twice, which is what makes it ambiguous. ", 2)},
		{ID: "d", Text: "short twin. Only one."},
	}
	set := loadDocuments(t, docs, corpus.Chunking{By: corpus.ByNone})
	at := func(doc, text string) anchor.Place {
		for _, d := range docs {
			if i := strings.Index(d.Text, text); d.ID == doc && i >= 0 {
				return anchor.Place{Document: doc, Span: assay.Span{Start: i, End: i + len(text)}}
			}
		}
		t.Fatalf("%q is not in %s", text, doc)
		return anchor.Place{}
	}
	for name, tt := range map[string]struct {
		text      string
		place     anchor.Place
		method    anchor.Method
		ambiguous bool
	}{
		"whole document":  {docs[1].Text, at("b", docs[1].Text), anchor.Exact, false},
		"part":            {long, at("a", long), anchor.Exact, false},
		"blanks around":   {"\n " + long + " \n", at("a", long), anchor.Exact, false},
		"short":           {"Only one.", at("d", "Only one."), anchor.Exact, false},
		"short twice":     {"short twin.", anchor.Place{}, anchor.Exact, true},
		"long twice":      {"The same sentence stands here twice, which is what makes it ambiguous.", anchor.Place{}, anchor.Exact, true},
		"reformatted":     {strings.ReplaceAll(long, " ", "\n  "), at("a", long), anchor.Normalised, false},
		"spelled":         {`they are "quoted" - so that folding has something to do with all of it...`, at("b", "they are “quoted” —\nso that folding\u00a0has something to do with all of it…"), anchor.Normalised, false},
		"title and text":  {"Backups " + docs[0].Text, at("a", docs[0].Text), anchor.Exact, false},
		"not there":       {long[:80] + " but then goes on in quite another way", anchor.Place{}, "", false},
		"not there short": {"nowhere", anchor.Place{}, "", false},
		"blank":           {" \n", anchor.Place{}, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			loc, ok := set.Locate(tt.text)
			if ok != (tt.place.Document != "") || loc.Method != tt.method || loc.Ambiguous != tt.ambiguous {
				t.Fatalf("%+v, %v", loc, ok)
			}
			if ok && loc.Place != tt.place {
				t.Errorf("at %+v, want %+v", loc.Place, tt.place)
			}
		})
	}
}

// TestLocateInPeriodicText: where grams repeat, those chosen must not depend on where a text begins; and
// a chosen gram may begin inside a character that folds to three.
func TestLocateInPeriodicText(t *testing.T) {
	for name, text := range map[string]string{
		"period":   strings.Repeat("abcdefghij ", 60) + "and a tail",
		"ellipses": strings.Repeat("wait…and…go…", 40) + "now and not later, says the tail of this text",
	} {
		set := loadDocuments(t, []assay.Document{{ID: "d", Text: text}}, corpus.Chunking{By: corpus.ByNone})
		for start := range text[:len(text)-80] {
			part := text[start:]
			if strings.HasPrefix(part, " ") {
				continue
			}
			want := anchor.Place{Document: "d", Span: assay.Span{Start: start, End: len(text)}}
			if loc, ok := set.Locate(part); !ok || loc.Place != want {
				t.Fatalf("%s: from %d: located %+v, %v", name, start, loc, ok)
			}
			if loc, ok := set.Locate(strings.ReplaceAll(part, "…", "...")); !ok || loc.Place != want {
				t.Fatalf("%s: spelled out, from %d: located %+v, %v", name, start, loc, ok)
			}
		}
	}
}

// TestLocateAgainstScan takes texts out of a corpus full of repeats and compares with a plain search.
func TestLocateAgainstScan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var docs []assay.Document
		for i := range rapid.IntRange(1, 5).Draw(t, "docs") {
			text := strings.Join(rapid.SliceOfN(words, 1, 60).Draw(t, "words"), " ")
			if strings.TrimSpace(text) != "" {
				docs = append(docs, assay.Document{ID: string(rune('a' + i)), Text: text})
			}
		}
		if len(docs) == 0 {
			return
		}
		src, err := corpus.FromDocuments("m", docs, corpus.Chunking{By: corpus.ByNone})
		if err != nil {
			t.Fatal(err)
		}
		set, err := corpus.Load(context.Background(), src)
		if err != nil {
			t.Fatal(err)
		}
		from := docs[rapid.IntRange(0, len(docs)-1).Draw(t, "from")].Text
		start := rapid.IntRange(0, len(from)-1).Draw(t, "start")
		end := rapid.IntRange(start, len(from)).Draw(t, "end")
		text := anchor.Trim(strings.ToValidUTF8(from[start:end], ""))
		count := 0
		for _, d := range docs {
			for at := 0; text != ""; count++ {
				i := strings.Index(d.Text[at:], text)
				if i < 0 {
					break
				}
				at += i + 1
			}
		}
		loc, ok := set.Locate(text)
		if ok != (count == 1) || loc.Ambiguous != (count > 1) {
			t.Fatalf("%q stands in %d places; located %+v, %v", text, count, loc, ok)
		}
		if ok {
			d, _ := set.Document(loc.Place.Document)
			if got := d.Text[loc.Place.Span.Start:loc.Place.Span.End]; got != text {
				t.Fatalf("the place holds %q", got)
			}
		}
		// The same words in other white space stand at the same place, if long enough to be looked for.
		respaced := strings.Join(strings.Fields(text), "\n\t ")
		if ok && len(anchor.Fold(text).Text()) >= 63 && len(strings.Fields(text)) > 1 {
			if other, found := set.Locate(respaced); found && other.Place != loc.Place {
				t.Fatalf("respaced it stands at %+v, not %+v", other.Place, loc.Place)
			} else if !found && !other.Ambiguous {
				t.Fatalf("respaced it is not found: %q", respaced)
			}
		}
	})
}

func TestSciFact(t *testing.T) {
	dir := shared.Dir(t, "data", "scifact")
	// A BEIR folder of its own: the shared folder holds other files too, which do not matter.
	set := load(t, corpus.Spec{Path: dir})
	if len(set.Documents()) != 5183 || len(set.Chunks()) != 5183 || len(set.Skipped()) != 0 {
		t.Fatalf("%d documents, %d chunks, skipped %v", len(set.Documents()), len(set.Chunks()), set.Skipped())
	}
	first := set.Chunks()[0]
	if first.ID != "4983" || !strings.HasPrefix(corpus.IndexText(&first), "Microstructural development of human newborn cerebral white matter") {
		t.Errorf("first chunk %s %.80q", first.ID, corpus.IndexText(&first))
	}
	unique := 0
	for _, c := range set.Chunks() {
		text := middle(c.Text)
		loc, ok := set.Locate(text)
		if ok {
			unique++
			if loc.Place.Document != c.ID {
				t.Fatalf("a text of %s is located in %s", c.ID, loc.Place.Document)
			}
		} else if !loc.Ambiguous {
			t.Fatalf("a text of %s is not located: %q", c.ID, text)
		}
	}
	if unique < 5000 {
		t.Errorf("%d of 5183 texts have a unique place", unique)
	}
}

// middle is a part of a text that begins and ends within it.
func middle(text string) string {
	from := strings.IndexByte(text, ' ') + 1
	to := min(len(text), from+300)
	return strings.ToValidUTF8(text[from:to], "")
}

func BenchmarkLoadAndLocateSciFact(b *testing.B) {
	dir := shared.Dir(b, "data", "scifact")
	b.Run("load", func(b *testing.B) {
		for b.Loop() {
			load(b, corpus.Spec{Path: dir})
		}
	})
	b.Run("index places", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			set := load(b, corpus.Spec{Path: dir})
			b.StartTimer()
			set.Locate("anything")
		}
	})
	set := load(b, corpus.Spec{Path: dir})
	rng := rand.New(rand.NewPCG(1, 1))
	b.Run("locate", func(b *testing.B) {
		for b.Loop() {
			set.Locate(middle(set.Chunks()[rng.IntN(5183)].Text))
		}
	})
	b.Run("locate short", func(b *testing.B) {
		for b.Loop() {
			set.Locate(set.Chunks()[rng.IntN(5183)].Text[:40])
		}
	})
}

func BenchmarkSplit(b *testing.B) {
	var parts []string
	for _, c := range load(b, corpus.Spec{Path: shared.Dir(b, "data", "scifact")}).Chunks()[:1000] {
		parts = append(parts, "## "+c.Title+"\n\n"+c.Text)
	}
	text := strings.Join(parts, "\n\n")
	for _, c := range []corpus.Chunking{corpus.DefaultChunking, {By: corpus.BySentence, Size: 300}, {By: corpus.ByFixed, Size: 300, Overlap: 40}, {By: corpus.ByFixed, Size: 2000, Unit: corpus.Char}} {
		b.Run(string(c.By)+" "+string(c.Unit), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				split(b, document(text, corpus.FormatMarkdown), c)
			}
		})
	}
}

// TestOrderIsStable: two readings and two copies of a tree give the same chunks in the same order.
func TestOrderIsStable(t *testing.T) {
	files := map[string]string{}
	for _, n := range []string{"b/x.md", "a.md", "a/z.md", "a-b.md", "c.txt", "b.md", "B.md"} {
		files[n] = "text of " + n
	}
	ids := func(root string) (out []string) {
		for _, c := range load(t, corpus.Spec{Path: root}).Chunks() {
			out = append(out, c.ID)
		}
		return out
	}
	one := tree(t, files)
	first := ids(one)
	if !slices.Equal(first, ids(one)) || !slices.Equal(first, ids(tree(t, files))) || len(first) != len(files) {
		t.Errorf("order %v", first)
	}
	if err := os.Rename(filepath.Join(one, "a.md"), filepath.Join(one, "d.md")); err != nil {
		t.Fatal(err)
	}
	if slices.Equal(first, ids(one)) {
		t.Error("a renamed file keeps its id")
	}
}
