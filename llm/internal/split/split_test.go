package split

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm"
)

var errBad = assay.Errorf(assay.KindTruncated, "embed", "host", "too long")

// server counts the bytes of texts, takes at most most at once, and refuses those with "!".
type server struct {
	most  int
	calls [][]string
}

func (s *server) send(_ context.Context, texts []string) ([]int, error) {
	s.calls = append(s.calls, slices.Clone(texts))
	if s.most > 0 && len(texts) > s.most {
		return nil, assay.Errorf(assay.KindInvalid, "embed", "host", "batch too large")
	}
	out := make([]int, len(texts))
	for i, x := range texts {
		if strings.Contains(x, "!") {
			return nil, errBad
		}
		out[i] = len(x)
	}
	return out, nil
}

func TestEveryTextIsSentAndFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.StringMatching(`[a-z]{1,9}!?`), 0, 60).Draw(t, "texts")
		if len(texts) > 0 {
			texts[0] = "works" // so that no failure is taken for everybody's
		}
		s := &server{most: rapid.IntRange(0, 9).Draw(t, "most")}
		sp := New(rapid.IntRange(1, 20).Draw(t, "items"), rapid.IntRange(0, 50).Draw(t, "bytes"))
		got, failed, err := Do(t.Context(), sp, texts, llm.TextAtFault, s.send)
		if err != nil {
			// With a server that takes small batches only, bad texts may stand before the good one.
			if s.most > 0 && assay.KindOf(err) == assay.KindTruncated {
				t.Skip()
			}
			t.Fatal(err)
		}
		var bad []int
		for i, x := range texts {
			switch {
			case strings.Contains(x, "!"):
				bad = append(bad, i)
			case got[i] != len(x):
				t.Fatalf("text %d %q: %d", i, x, got[i])
			}
		}
		var at []int
		for _, f := range failed {
			at = append(at, f.Index)
		}
		if !slices.Equal(bad, at) {
			t.Fatalf("failed %v, want %v", at, bad)
		}
	})
}

func TestLearnsTheLimit(t *testing.T) {
	s, sp := &server{most: 5}, New(32, 0)
	texts := strings.Fields(strings.Repeat("x ", 64))
	if _, failed, err := Do(t.Context(), sp, texts, llm.TextAtFault, s.send); err != nil || failed != nil {
		t.Fatal(failed, err)
	}
	if sp.Items() != 4 {
		t.Errorf("limit %d, want 4", sp.Items())
	}
	// 32, 16, 16, four 8, eight 4; then eight 4.
	if n := len(s.calls); n != 1+2+4+8+8 {
		t.Errorf("%d calls", n)
	}
}

func TestErrorsThatEndTheCall(t *testing.T) {
	down := assay.Errorf(assay.KindUnavailable, "embed", "host", "down")
	calls := 0
	_, _, err := Do(t.Context(), New(4, 0), []string{"a", "b"}, llm.TextAtFault, func(context.Context, []string) ([]int, error) { calls++; return nil, down })
	if !errors.Is(err, down) || calls != 1 {
		t.Errorf("%d calls, %v", calls, err)
	}
	s := &server{}
	_, _, err = Do(t.Context(), New(8, 0), strings.Fields(strings.Repeat("bad! ", 16)), llm.TextAtFault, s.send)
	if !errors.Is(err, errBad) || len(s.calls) > 8 {
		t.Errorf("every text fails: %d calls, %v", len(s.calls), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	calls = 0
	_, _, err = Do(ctx, New(8, 0), strings.Fields(strings.Repeat("x ", 8)), llm.TextAtFault, func(context.Context, []string) ([]int, error) {
		calls++
		cancel()
		return nil, errBad
	})
	if err == nil || calls != 1 {
		t.Errorf("canceled: %d calls, %v", calls, err)
	}
	_, _, err = Do(t.Context(), New(8, 0), []string{"a"}, func(error) bool { return false }, func(context.Context, []string) ([]int, error) { return nil, nil })
	if assay.KindOf(err) != assay.KindInternal {
		t.Errorf("no result for a text: %v", err)
	}
}

func TestLongTextsGoAlone(t *testing.T) {
	long := strings.Repeat("word ", 600)
	s := &server{}
	if _, _, err := Do(t.Context(), New(8, 0), []string{"a", "b", long, "c", "d", long, long}, llm.TextAtFault, s.send); err != nil {
		t.Fatal(err)
	}
	var sizes []string
	for _, c := range s.calls {
		sizes = append(sizes, fmt.Sprint(len(c)))
	}
	if got := strings.Join(sizes, " "); got != "2 1 2 1 1" {
		t.Errorf("batches of %s", got)
	}
}
