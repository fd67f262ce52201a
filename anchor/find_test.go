package anchor_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/anchor"
	"pgregory.net/rapid"
)

func TestFind(t *testing.T) {
	const long = "Nightly backups are kept for thirty days before the pruner removes them from the store"
	tests := map[string]struct {
		text, quote string
		want        string // text of the span
		method      anchor.Method
		unique      bool
	}{
		"exact":             {"x " + long + " y", long, long, anchor.Exact, true},
		"exact twice":       {"a b a b", "a b", "a b", anchor.Exact, false},
		"exact overlapping": {"aaa", "aa", "aa", anchor.Exact, false},
		"line breaks":       {"kept\r\n  for\tthirty days", "kept for thirty days", "kept\r\n  for\tthirty days", anchor.Normalised, true},
		"blanks at ends":    {"kept for thirty days", "  kept for\n", "kept for", anchor.Normalised, true},
		"quotes":            {"it’s “fine” — really…", `it's "fine" - really...`, "it’s “fine” — really…", anchor.Normalised, true},
		"soft hyphen":       {"re\u00adten\u200btion", "retention", "re\u00adten\u200btion", anchor.Normalised, true},
		"ligature":          {"a ﬁle of oﬃce", "file of office", "ﬁle of oﬃce", anchor.Normalised, true},
		"no-break space":    {"30\u00a0days", "30 days", "30\u00a0days", anchor.Normalised, true},
		"normalised twice":  {"30\u00a0days 30  days", "30 days", "30\u00a0days", anchor.Normalised, false},
		"one letter wrong":  {"é " + long + "!", strings.Replace(long, "thirty", "thirti", 1), long, anchor.Fuzzy, true},
		"one letter less":   {"x " + strings.Replace(long, "pruner", "pruer", 1) + ".", long, strings.Replace(long, "pruner", "pruer", 1), anchor.Fuzzy, true},
		"fuzzy twice":       {long + "! … " + long + "?", strings.Replace(long, "are", "ar", 1), long, anchor.Fuzzy, false},
		// One edit in each quarter but the third, and the first three quarters are alike: the third, the only
		// one that stands unchanged, must be taken for any of them.
		"repeated pieces": {"some noise before, abcdefghijklmnXabcdefghijklYnoabcdefghijklmnoPQRSTUVWXYZ12!4 and after",
			"abcdefghijklmnoabcdefghijklmnoabcdefghijklmnoPQRSTUVWXYZ1234", "abcdefghijklmnXabcdefghijklYnoabcdefghijklmnoPQRSTUVWXYZ12!4", anchor.Fuzzy, true},
		"multi-byte edit": {"备份保留三十天。每天凌晨两点运行一次备份任务。旧的备份会被清理。", "每天凌晨两点运行一次备份任务。旧的备份会被清理", "每天凌晨两点运行一次备份任务。旧的备份会被清理", anchor.Exact, true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			m, ok := anchor.Find(tt.text, tt.quote)
			if !ok {
				t.Fatal("not found")
			}
			got, err := m.Span.In(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			if got != tt.want || m.Method != tt.method || m.Unique != tt.unique {
				t.Errorf("got %q, %s, unique %v; want %q, %s, %v", got, m.Method, m.Unique, tt.want, tt.method, tt.unique)
			}
			if (m.Similarity == 1) != (m.Method != anchor.Fuzzy) || m.Similarity < anchor.FuzzyThreshold {
				t.Errorf("similarity %v by %s", m.Similarity, m.Method)
			}
		})
	}
}

func TestFindNothing(t *testing.T) {
	long := strings.Repeat("All work and no play makes Jack a dull boy. ", 3)
	for name, c := range map[string][2]string{
		"empty quote":    {"text", ""},
		"blank quote":    {"text with blanks", " \n\t"},
		"invisible":      {"text", "\u200b\u00ad"},
		"empty text":     {"", "quote"},
		"other case":     {"Thirty days", "thirty days"},
		"paraphrase":     {"Backups are kept for thirty days.", "The retention period of a backup is a month."},
		"six percent":    {long, strings.NewReplacer("work", "wxrk", "play", "plxy", "dull", "dxll").Replace(long)},
		"short and near": {"keep 30 days", "keep 90 days"}, // 19 bytes and fewer tolerate no edit
	} {
		if m, ok := anchor.Find(c[0], c[1]); ok {
			t.Errorf("%s: found %+v", name, m)
		}
	}
}

// edits is the plain dynamic programme: the least edits between quote and any part of text.
func edits(text, quote string) int {
	prev := make([]int, len(quote)+1)
	for i := range prev {
		prev[i] = i
	}
	best := len(quote)
	for j := range len(text) {
		cur := make([]int, len(quote)+1)
		for i := 1; i <= len(quote); i++ {
			d := 1
			if text[j] == quote[i-1] {
				d = 0
			}
			cur[i] = min(prev[i-1]+d, prev[i]+1, cur[i-1]+1)
		}
		best = min(best, cur[len(quote)])
		prev = cur
	}
	return best
}

// TestFindAgainstPlainAlignment holds the blocks of bits, the filter by pieces and the backward pass to
// the textbook's O(nm) table, over texts with many near matches.
func TestFindAgainstPlainAlignment(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.SampledFrom([]byte("abcde "))
		quote := "x" + string(rapid.SliceOfN(letters, 30, 200).Draw(t, "quote")) + "y"
		edit := func(s, label string) string {
			b := []byte(s)
			for range rapid.IntRange(0, 12).Draw(t, label) {
				i := rapid.IntRange(0, len(b)-1).Draw(t, "at")
				switch rapid.IntRange(0, 2).Draw(t, "how") {
				case 0:
					b[i] = letters.Draw(t, "letter")
				case 1:
					b = append(b[:i], b[i+1:]...)
				case 2:
					b = append(b[:i], append([]byte{letters.Draw(t, "letter")}, b[i:]...)...)
				}
			}
			return string(b)
		}
		text := string(rapid.SliceOfN(letters, 0, 300).Draw(t, "noise")) + edit(quote, "one") +
			string(rapid.SliceOfN(letters, 0, 200).Draw(t, "noise2")) + edit(quote, "two")
		folded, q := anchor.Fold(text).Text(), strings.Trim(anchor.Fold(quote).Text(), " ")
		want := edits(folded, q)
		most := int(float64(len(q))*(1-anchor.FuzzyThreshold) + 1e-9)
		m, ok := anchor.Find(text, quote)
		if ok != (want <= most) {
			t.Fatalf("found %v, the table says %d edits of %d", ok, want, most)
		}
		if !ok {
			return
		}
		if sim := 1 - float64(want)/float64(len(q)); m.Method == anchor.Fuzzy && m.Similarity != sim {
			t.Fatalf("similarity %v, the table says %v", m.Similarity, sim)
		}
		got := strings.Trim(anchor.Fold(text[m.Span.Start:m.Span.End]).Text(), " ")
		// A blank trimmed at either end may cost one edit each.
		if d := edits(got, q); d > want+2 {
			t.Fatalf("the span holds %q, %d edits from the quote; best is %d", got, d, want)
		}
	})
}

func TestFoldKeepsPlaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := text("text").Draw(t, "text")
		f := anchor.Fold(s)
		if again := anchor.Fold(f.Text()).Text(); again != f.Text() {
			t.Fatalf("folding twice changes %q to %q", f.Text(), again)
		}
		for i, c := range f.Text() {
			width := utf8.RuneLen(c)
			o := f.Original(assay.Span{Start: i, End: i + width})
			part, err := o.In(s)
			if err != nil || !utf8.ValidString(part) {
				t.Fatalf("byte %d comes from %s: %v", i, o, err)
			}
			if got := anchor.Fold(part).Text(); !strings.Contains(got, string(c)) {
				t.Fatalf("%q at %d comes from %q", c, i, part)
			}
			if back := f.Folding(o.Start); back > i || back < i-2 { // three folded bytes can share a source
				t.Fatalf("source of byte %d folds to %d", i, back)
			}
		}
	})
}

func FuzzFind(f *testing.F) {
	f.Add("Nightly backups are kept for thirty days", "backups are  kept")
	f.Add("it’s “fine”…", `it's "fine"`)
	f.Add(strings.Repeat("ab", 100), strings.Repeat("ab", 40)+"c")
	f.Add("\xff\xfe", "\xfe")
	f.Fuzz(func(t *testing.T, text, quote string) {
		m, ok := anchor.Find(text, quote)
		if !ok {
			return
		}
		got, err := m.Span.In(text)
		if err != nil || got == "" {
			t.Fatalf("span %s of %d bytes: %v", m.Span, len(text), err)
		}
		if m.Method == anchor.Exact && got != quote {
			t.Fatalf("exact match holds %q", got)
		}
		if utf8.ValidString(text) && utf8.ValidString(quote) && !utf8.ValidString(got) {
			t.Fatalf("span cuts a character: %q", got)
		}
	})
}

// BenchmarkFindFuzzy looks for a quote of 1 KB in a text of 1 MB: prose without and with a match, and a
// text made to defeat the filter.
func BenchmarkFindFuzzy(b *testing.B) {
	prose := benchProse(1 << 20)
	quote := prose[500_000:501_000]
	bad := []byte(quote)
	for i := 0; i < len(bad); i += 40 {
		bad[i] = 'Q'
	}
	for name, c := range map[string][2]string{
		"match":     {prose, string(bad)},
		"no match":  {prose, benchProse(3 << 20)[2<<20:][:1000] + "!"},
		"adversary": {strings.Repeat("a", 1<<20), strings.Repeat("a", 470) + strings.Repeat("b", 60) + strings.Repeat("a", 470)},
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(c[0])))
			for b.Loop() {
				anchor.Find(c[0], c[1])
			}
		})
	}
}
