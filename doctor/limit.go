package doctor

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/vector"
)

// reading is what becomes of a text.
type reading string

const (
	readWhole   reading = "read"
	readCut     reading = "cut_silently"  // another end gives the same vector
	readTail    reading = "start_dropped" // another beginning gives the same vector
	readRefused reading = "refused"       // the server says that it is too long
)

// words says what a server does to a text that it does not read whole.
func (r reading) words() string {
	switch r {
	case readCut:
		return "drops the rest without a word"
	case readTail:
		return "drops the beginning of a longer one without a word"
	}
	return "refuses longer ones, so an ingestion that lets the server cut them has embedded a part of them only"
}

// sameText is how near to 1 the cosine of a text with a changed one may come with the change read. One word
// of five hundred moves MiniLM's vector by a ten-thousandth or more; rounding moves it by less than this.
const sameText = 1e-6

// reads probes both ends: it embeds a text, then the text with its last word exchanged, then with its first. A
// server that did not read that word gives the same vector again, whatever it says of itself. The first word
// is tried as well as the last because Ollama 0.9.6, one or two tokens above the window, keeps the end.
func (x *exam) reads(ctx context.Context, m *Model, text string) (reading, error) {
	e, err := x.embed(ctx, m, text)
	switch {
	case assay.KindOf(err) == assay.KindTruncated:
		return readRefused, nil
	case err != nil:
		return "", err
	case e.cut:
		return readCut, nil
	}
	for _, probe := range []struct {
		text string
		says reading
	}{{otherEnd(text), readCut}, {otherStart(text), readTail}} {
		other, err := x.embed(ctx, m, probe.text)
		switch {
		case assay.KindOf(err) == assay.KindTruncated:
			return readRefused, nil
		case err != nil:
			return "", err
		case 1-vector.Cosine(e.vector, other.vector) < sameText:
			return probe.says, nil
		}
	}
	return readWhole, nil
}

// otherStart exchanges the first word of a text, or where there are none its first sign.
func otherStart(text string) string {
	const longestWord = 40
	text = strings.TrimLeft(text, " \n\t")
	at := strings.IndexAny(text, " \n\t")
	if at < 0 || at > longestWord {
		first, size := utf8.DecodeRuneInString(text)
		return otherSign(first) + text[size:]
	}
	start := "not"
	if text[:at] == start {
		start = "so"
	}
	return start + text[at:]
}

// otherEnd exchanges the last word of a text for one of few letters, so that the text takes no more tokens
// than before. Where there are no words the last few signs go.
func otherEnd(text string) string {
	const longestWord, signs = 40, 4 // bytes; signs of a script without blanks
	text = strings.TrimRight(text, " \n\t")
	at := strings.LastIndexAny(text, " \n\t")
	if at < 0 || len(text)-at > longestWord {
		last, _ := utf8.DecodeLastRuneInString(text)
		at = len(text)
		for range signs {
			_, size := utf8.DecodeLastRuneInString(text[:at])
			at -= size
		}
		return text[:at] + otherSign(last)
	}
	end := "not"
	if text[at+1:] == end {
		end = "so"
	}
	return text[:at+1] + end
}

// otherSign is a letter that is not r.
func otherSign(r rune) string {
	if r == 'x' {
		return "z"
	}
	return "x"
}

// limit is how much of a text a model reads.
type limit struct {
	bytes  int     // longest start that was read to its end
	tokens int     // of it, as the server counts; 0 when it does not say
	beyond reading // what becomes of the whole text
	next   reading // what becomes of a text right above the limit
}

func (l limit) inTokens() string { return tokensOf(embedding{tokens: l.tokens}) }

// limit searches for the longest start of a text that the model reads to its end, by halving, on whole words.
// The text itself is not.
func (x *exam) limit(ctx context.Context, m *Model, text string) (limit, error) {
	cuts := cutPoints(text)
	lo, hi := 0, len(cuts)-1 // read up to cuts[lo], not up to cuts[hi]
	var out limit
	var err error
	if out.beyond, err = x.reads(ctx, m, text); err != nil {
		return out, err
	}
	out.next = out.beyond
	for hi-lo > 1 {
		mid := (lo + hi) / 2
		r, err := x.reads(ctx, m, text[:cuts[mid]])
		if err != nil {
			return out, err
		}
		if r == readWhole {
			lo = mid
			continue
		}
		hi, out.next = mid, r
	}
	if out.bytes = cuts[lo]; out.bytes > 0 {
		e, err := x.embed(ctx, m, text[:out.bytes])
		if err != nil {
			return out, err
		}
		out.tokens = e.tokens
	}
	return out, nil
}

// cutPoints are the places where a text may end: 0, behind each word or, in a script without blanks, each
// sign, and its end.
func cutPoints(text string) []int {
	out := []int{0}
	for i, r := range text {
		if i > 0 && (r == ' ' || r == '\n' || r >= 0x2e80) {
			out = append(out, i)
		}
	}
	if out[len(out)-1] != len(text) {
		out = append(out, len(text))
	}
	return out
}
