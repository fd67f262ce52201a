package corpus_test

import (
	"strings"
	"testing"

	"github.com/clipperhouse/uax29/v2/sentences"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/corpus"
)

func texts(chunks []assay.Chunk) (out []string) {
	for _, c := range chunks {
		out = append(out, c.Text)
	}
	return out
}

func TestSentences(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		want []string
	}{
		"plain":        {"One. Two! Three? Four", []string{"One.", "Two!", "Three?", "Four"}},
		"quoted":       {`He said "No." Then (later.) It went.`, []string{`He said "No."`, "Then (later.)", "It went."}},
		"decimal":      {"It costs 3.50 today. Or v1.2.3 then.", []string{"It costs 3.50 today.", "Or v1.2.3 then."}},
		"abbreviation": {"See e.g. this, i.e. that. Dr. No and J. Bond met vs. M. So.", []string{"See e.g. this, i.e. that.", "Dr. No and J. Bond met vs. M. So."}},
		"acronym":      {"N.A.T.O. and the U.S. army met at 5 p.m. in Rome.", []string{"N.A.T.O. and the U.S. army met at 5 p.m. in Rome."}},
		"addresses":    {"Open https://a.b/c?d=e now. Or mail a.b@c.de!", []string{"Open https://a.b/c?d=e now.", "Or mail a.b@c.de!"}},
		"wrapped":      {"A sentence that\nis wrapped. And\r\nanother one.", []string{"A sentence that\nis wrapped.", "And\r\nanother one."}},
		"stop at wrap": {"One.\nTwo.\r\nthree e.g.\nfour. Dr.\nWho", []string{"One.", "Two.\r\nthree e.g.\nfour.", "Dr.\nWho"}},
		"paragraphs":   {"No stop here\n\nand none here\n \nend", []string{"No stop here", "and none here", "end"}},
		"list":         {"Items:\n- one\n- two\n  goes on\n1. three\n2) four", []string{"Items:", "- one", "- two\n  goes on", "1. three", "2) four"}},
		"heading":      {"# Title\ntext goes\non", []string{"# Title", "text goes\non"}},
		"table":        {"| a | b |\n| c | d |\ntext", []string{"| a | b |", "| c | d |", "text"}},
		"chinese":      {"备份保留三十天。每天两点运行！真的吗？是", []string{"备份保留三十天。", "每天两点运行！", "真的吗？", "是"}},
		"chinese said": {"他说：“好。”然后走了。", []string{"他说：“好。”", "然后走了。"}},
		"hindi":        {"यह एक है। वह दो है।", []string{"यह एक है।", "वह दो है।"}},
		"ellipsis":     {"Wait... what? Yes... No.", []string{"Wait... what?", "Yes...", "No."}},
	} {
		t.Run(name, func(t *testing.T) {
			doc := document(tt.text, corpus.FormatText)
			c := corpus.Chunking{By: corpus.BySentence}
			chunks := split(t, doc, c)
			checkChunks(t, doc, c, chunks)
			if diff := cmp.Diff(tt.want, texts(chunks)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestHTMLLinesAreHard(t *testing.T) {
	page, err := corpus.HTMLText("<ul><li>one<li>two</ul>wrapped\ntext")
	if err != nil {
		t.Fatal(err)
	}
	doc := document(page.Text, corpus.FormatHTML)
	if diff := cmp.Diff([]string{"one", "two", "wrapped text"}, texts(split(t, doc, corpus.Chunking{By: corpus.BySentence}))); diff != "" {
		t.Error(diff)
	}
}

// TestSentencesFollowUAX29 compares with another implementation of the standard, over text without what
// is ruled differently here: line breaks, initials and titles, "!" and "?" inside a word.
func TestSentencesFollowUAX29(t *testing.T) {
	word := rapid.SampledFrom([]string{
		"Word", "word", "WORD", "3", "4.5", "a.b", "x", "备份", "。", "！", "สำรอง", "é", "e\u0301", "”", "“", ")", "(", "'", ",", ":", "-",
		". ", ".", "! ", "? ", ".) ", ".” ", "… ", "!? ", "... ", "\u00ad", "。\u0301", "Ⅷ", "ª", "—", ";", "؟ ", "।",
	})
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(word, 0, 30).Draw(t, "words")
		text := strings.Join(parts, rapid.SampledFrom([]string{"", " "}).Draw(t, "sep"))
		var want []string
		for it := sentences.FromString(text); it.Next(); {
			if s := strings.TrimSpace(it.Value()); s != "" {
				want = append(want, s)
			}
		}
		chunks, err := corpus.Split(document(text, corpus.FormatText), corpus.Chunking{By: corpus.BySentence})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, texts(chunks)); diff != "" {
			t.Fatalf("%q: %s", text, diff)
		}
	})
}

// BenchmarkAdversarialSentences is a page of brackets and blanks, on which the textbook rules take
// quadratic time (27 s for these 200 KB).
func BenchmarkAdversarialSentences(b *testing.B) {
	doc := document("."+strings.Repeat(")", 100_000)+". "+strings.Repeat(" ", 100_000)+"x", corpus.FormatText)
	b.SetBytes(int64(len(doc.Text)))
	for b.Loop() {
		if _, err := corpus.Split(doc, corpus.Chunking{By: corpus.BySentence}); err != nil {
			b.Fatal(err)
		}
	}
}
