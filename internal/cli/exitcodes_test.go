package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/shared"
	"github.com/assay-eval/assay/internal/term"
)

// topic is what `assay help exit-codes` prints.
func topic(t *testing.T) string {
	t.Helper()
	var out strings.Builder
	streams := &term.Streams{In: strings.NewReader(""), Out: &out, Err: &out}
	if code := Run(context.Background(), []string{"help", "exit-codes"}, streams); code != 0 {
		t.Fatalf("exit %d: %s", code, out.String())
	}
	return out.String()
}

// TestExitCodesAgreeWithTheContract: the help page lists the codes of the written contract, each with the same first word, and takes the
// same one where several apply.
func TestExitCodesAgreeWithTheContract(t *testing.T) {
	data, err := os.ReadFile(shared.Dir(t, "contract.md"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(string(data)), " ")
	_, text, ok := strings.Cut(text, "- Exit codes: ")
	text, _, closed := strings.Cut(text, "`assay help exit-codes`")
	if !ok || !closed {
		t.Fatal("the contract has no exit codes")
	}
	help := topic(t)
	listed := regexp.MustCompile(`(?m)^  (\d+) +(\w+)`).FindAllStringSubmatch(help, -1)
	var have, want []string
	for _, m := range listed {
		have = append(have, m[1]+" "+m[2])
	}
	for _, m := range regexp.MustCompile(`(?:^|· )(\d+) (\w+)`).FindAllStringSubmatch(text, -1) {
		want = append(want, m[1]+" "+m[2])
	}
	if !slices.Equal(have, want) {
		t.Errorf("help lists %v, the contract %v", have, want)
	}
	order := regexp.MustCompile(`(\d(?:, \d)+)`)
	if h, c := order.FindString(help), order.FindString(text[strings.Index(text, "Where several apply"):]); h != c || h == "" {
		t.Errorf("help takes the first of %q, the contract of %q", h, c)
	}
}

// TestExitCodesAreTaken: each error ends with its code, and of several with the one that the help page says.
func TestExitCodesAreTaken(t *testing.T) {
	sentinel := map[int]error{2: assay.ErrUsage, 6: assay.ErrStale, 5: assay.ErrIncomplete, 3: assay.ErrRegression, 4: assay.ErrUndecided}
	order := regexp.MustCompile(`(\d(?:, \d)+)`).FindString(topic(t))
	var codes []int
	for _, s := range strings.Split(order, ", ") {
		var code int
		fmt.Sscan(s, &code)
		codes = append(codes, code)
	}
	if len(codes) != 6 || codes[5] != 0 {
		t.Fatalf("order %q", order)
	}
	for i, code := range codes[:5] {
		err := fmt.Errorf("x: %w", sentinel[code])
		for _, later := range codes[i+1 : 5] {
			err = errors.Join(fmt.Errorf("y: %w", sentinel[later]), err)
		}
		if got := exitCode(context.Background(), err); got != code {
			t.Errorf("%v ends with %d, want %d", err, got, code)
		}
	}
	// The gate's outcomes stand in the same order.
	var last = -1
	for _, o := range []gate.Outcome{gate.NoData, gate.NotComparable, gate.Incomplete, gate.Regression, gate.Inconclusive, gate.Pass} {
		at := slices.Index(codes, o.Code(gate.Default))
		if at <= last {
			t.Errorf("%s ends with %d, out of order", o, o.Code(gate.Default))
		}
		last = at
	}
}
