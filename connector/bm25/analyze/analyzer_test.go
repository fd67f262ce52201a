package analyze_test

import (
	"os"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector/bm25/analyze"
	"github.com/google/go-cmp/cmp"
)

func lines(t *testing.T, path string) []string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

func analyzer(t testing.TB, name string) *analyze.Analyzer {
	t.Helper()
	a, err := analyze.New(name)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestLucene compares with what Apache Lucene 9.12 made of the same texts (testdata/golden.sh).
func TestLucene(t *testing.T) {
	for _, name := range []string{"english", "standard", "cjk"} {
		a := analyzer(t, name)
		texts, golden := lines(t, "testdata/texts.txt"), lines(t, "testdata/texts."+name+".txt")
		if len(texts) != len(golden) {
			t.Fatalf("%d texts, %d golden lines", len(texts), len(golden))
		}
		for i := range texts {
			got := strings.Join(a.Terms(texts[i]), " ")
			if want := golden[i]; got != want {
				t.Errorf("%s, line %d:\n got %s\nwant %s", name, i+1, got, want)
			}
		}
	}
}

// TestLuceneStems holds the stemmer to Lucene's on 4,121 words of scientific abstracts.
func TestLuceneStems(t *testing.T) {
	a := analyzer(t, "english")
	words, golden := lines(t, "testdata/words.txt"), lines(t, "testdata/words.english.txt")
	for i, w := range words {
		if got := string(a.Term(nil, w)); got != golden[i] {
			t.Errorf("%s: got %s, want %s", w, got, golden[i])
		}
	}
}

func TestNames(t *testing.T) {
	for _, name := range analyze.Names() {
		if got := analyzer(t, name).Name(); got != name {
			t.Errorf("New(%q).Name() = %q", name, got)
		}
	}
	for code, want := range map[string]string{"de": "german", " EN ": "english", "zh": "cjk", "Japanese": "cjk"} {
		if got := analyzer(t, code).Name(); got != want {
			t.Errorf("New(%q) is %q, want %q", code, got, want)
		}
	}
	_, err := analyze.New("germna")
	if assay.KindOf(err) != assay.KindInvalid || !strings.Contains(err.Error(), `did you mean "german"`) {
		t.Errorf("got %v", err)
	}
}

// TestLanguages: the expected stems are those of the Snowball classes in Lucene 9.12; elision, suffixes
// after an apostrophe and letter variants are handled before the stemmer sees a word.
func TestLanguages(t *testing.T) {
	for _, tc := range []struct{ lang, text, want string }{
		{"german", "Aufeinanderfolgende Häuser KATZEN", "aufeinanderfolg haus katz"},
		{"german", "Ha\u0308user", "haus"}, // decomposed
		{"french", "L'avion qu’il aujourd'hui continuellement", "avion il aujourd'hui continuel"},
		{"italian", "dell'acqua pronunciare ABBANDONATA", "acqua pronunc abbandon"},
		{"spanish", "Chicharrones cheques", "chicharron chequ"},
		{"portuguese", "Boiando quietos", "boi quiet"},
		{"dutch", "lichamelijke opgelegde", "licham opgelegd"},
		{"swedish", "Jaktkarlarne klostergården", "jaktkarl klostergård"},
		{"norwegian", "havnedistriktene", "havnedistrikt"},
		{"danish", "indtage undersøgelse", "indtag undersøg"},
		{"finnish", "edeltäjien", "edeltäj"},
		{"russian", "Важнейшими взаимной", "важн взаимн"},
		{"hungarian", "babaházaknak", "babaház"},
		{"romanian", "absurdități absurdităţi", "absurd absurd"},
		{"turkish", "Ankara'da IŞIK İstanbul’un evlerimizden", "ankar ışık istanbul ev"},
		{"arabic", "الكتاب", "كتاب"},
		{"irish", "bhacaíocht", "bac"},
		{"tamil", "மரங்கள்", "மரங்"},
	} {
		if got := strings.Join(analyzer(t, tc.lang).Terms(tc.text), " "); got != tc.want {
			t.Errorf("%s %q: got %q, want %q", tc.lang, tc.text, got, tc.want)
		}
	}
}

// TestCJKMixed holds what Lucene does not do: a Korean particle after a Latin word does not hide it, and
// marks stay with their character.
func TestCJKMixed(t *testing.T) {
	for _, tc := range []struct {
		text string
		want []string
	}{
		{"API가 빠르다", []string{"api", "가", "빠르", "르다"}},
		{"Qdrant搜索v2引擎", []string{"qdrant", "搜索", "v2", "引擎"}},
		{"葛\U000e0100城市", []string{"葛\U000e0100城", "城市"}},
		{"备份保留三十天。", []string{"备份", "份保", "保留", "留三", "三十", "十天"}},
	} {
		if diff := cmp.Diff(tc.want, analyzer(t, "cjk").Terms(tc.text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tc.text, diff)
		}
	}
}

func TestNormalization(t *testing.T) {
	a := analyzer(t, "english")
	composed, decomposed := a.Terms("Na\u00efve CAF\u00c9s"), a.Terms("Nai\u0308ve CAFE\u0301s")
	if diff := cmp.Diff(composed, decomposed); diff != "" {
		t.Errorf("NFC and NFD differ (-NFC +NFD):\n%s", diff)
	}
}

func TestNoAllocations(t *testing.T) {
	a := analyzer(t, "english")
	buf := make([]byte, 0, 256)
	words := a.Words("première ’")
	n := testing.AllocsPerRun(100, func() {
		words.Reset("Anti-citrullinated protein antibodies aren't naïve: 0-dimensional biomaterials’ properties")
		for w, ok := words.Next(); ok; w, ok = words.Next() {
			buf = a.Term(buf[:0], w)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations for one text", n)
	}
}

func BenchmarkEnglish(b *testing.B) {
	const text = "Alterations of the architecture of cerebral white matter in the developing human brain can affect cortical development and result in functional disabilities. A line scan diffusion-weighted magnetic resonance imaging sequence was applied."
	a := analyzer(b, "english")
	buf := make([]byte, 0, 256)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		words := a.Words(text)
		for w, ok := words.Next(); ok; w, ok = words.Next() {
			buf = a.Term(buf[:0], w)
		}
	}
}
