package treceval

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/shared"
	"github.com/assay-eval/assay/trec"
)

// undefined names what the reference computes from uninitialised memory: rbp of release 10 with grades
// above 1. The table of test data (README of the conformance folder) says not to gate on it.
func undefined(release trec.Release, graded bool, line string) bool {
	return release == trec.Release10 && graded && strings.HasPrefix(line, "rbp ")
}

// conformanceCase is one execution of the reference.
type conformanceCase struct {
	name    string
	args    []string
	release trec.Release
	qrels   string
	run     string
	want    string // file with the expected output; empty if only the exit code counts
	full    bool   // want has 17 digits
	exit    int    // of the reference; below 0 is a crash
}

// TestConformance walks the folders of recorded reference output. A new folder or a new row of the
// README's table is a new case without new code.
func TestConformance(t *testing.T) {
	base := shared.Dir(t, "conformance", "trec_eval")
	var cases []conformanceCase
	cases = append(cases, officialCases(t, base)...)
	cases = append(cases, fullPrecisionCases(t, base)...)
	cases = append(cases, edgeCases(t, base)...)
	if len(cases) < 180 {
		t.Errorf("only %d cases found", len(cases))
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { c.check(t) })
	}
}

func (c *conformanceCase) check(t *testing.T) {
	o, unsupported := parseArgs(t, c.args)
	if unsupported != "" {
		t.Skipf("%s is not supported yet", unsupported)
	}
	o.Qrels, o.Run, o.Release, o.exact = c.qrels, c.run, c.release, c.full
	var out bytes.Buffer
	err := Score(context.Background(), o, &out)
	switch {
	case c.exit < 0:
		if err != nil && !errors.Is(err, assay.ErrUsage) {
			t.Errorf("where the reference crashes: %v", err)
		}
		return
	case c.exit > 0:
		if !errors.Is(err, assay.ErrUsage) || out.Len() > 0 {
			t.Errorf("reference exits %d, got %v after %d bytes of output", c.exit, err, out.Len())
		}
		return
	case err != nil:
		t.Fatal(err)
	}
	want, err := os.ReadFile(c.want)
	if err != nil {
		t.Fatal(err)
	}
	compareOutput(t, c, string(want), out.String())
}

// compareOutput compares byte for byte, or value by value to 1e-12 where 17 digits are given.
func compareOutput(t *testing.T, c *conformanceCase, want, got string) {
	t.Helper()
	graded := isGraded(t, c.qrels)
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	if len(w) != len(g) {
		t.Fatalf("%d lines, want %d: %s", len(g), len(w), cmp.Diff(w, g))
	}
	bad := 0
	for i := range w {
		if w[i] == g[i] || undefined(c.release, graded, w[i]) || c.full && closeLines(w[i], g[i]) {
			continue
		}
		if bad++; bad <= 10 {
			t.Errorf("line %d:\n got %s\nwant %s", i+1, g[i], w[i])
		}
	}
	if bad > 10 {
		t.Errorf("and %d more", bad-10)
	}
}

func closeLines(want, got string) bool {
	w, g := strings.Split(want, "\t"), strings.Split(got, "\t")
	if len(w) != 3 || len(g) != 3 || w[0] != g[0] || w[1] != g[1] {
		return false
	}
	x, err1 := strconv.ParseFloat(strings.TrimPrefix(w[2], "-n"), 64) // -nan
	y, err2 := strconv.ParseFloat(strings.TrimPrefix(strings.TrimSpace(g[2]), "-n"), 64)
	if err1 != nil || err2 != nil {
		return strings.TrimSpace(w[2]) == strings.TrimSpace(g[2])
	}
	return math.Abs(x-y) <= 1e-12*math.Abs(x)
}

func isGraded(t *testing.T, qrels string) bool {
	q, err := trec.ReadQrels(qrels, trec.Dialect{Lenient: true, Release: trec.Release10})
	if err != nil {
		return false
	}
	for _, j := range q.Queries {
		if j.Top > 1 {
			return true
		}
	}
	return false
}

// parseArgs reads trec_eval's options as getopt does.
func parseArgs(t *testing.T, args []string) (o Options, unsupported string) {
	o.Level = 1
	for i := 0; i < len(args); i++ {
		letter, value := args[i][1], args[i][2:]
		if strings.IndexByte("mlMNRZ", letter) >= 0 && value == "" {
			i++
			value = args[i]
		}
		var err error
		switch letter {
		case 'q':
			o.PerQuery = true
		case 'c':
			o.Complete = true
		case 'n':
			o.NoSummary = true
		case 'J':
			o.JudgedOnly = true
		case 'm':
			o.Measures = append(o.Measures, value)
		case 'l':
			o.Level, err = strconv.Atoi(value)
		case 'N':
			o.NumDocs, err = strconv.ParseInt(value, 10, 64)
		case 'M':
			o.Depth, err = strconv.Atoi(value)
		case 'R', 'Z':
			return o, "-" + string(letter)
		default:
			err = errors.New("unknown option")
		}
		if err != nil {
			t.Fatalf("%s: %v", args[i], err)
		}
	}
	return o, ""
}

// officialCases reads the table in the README: options, qrels, run, expected output. Release 9.0.8 has
// the same inputs and its own outputs where they differ.
func officialCases(t *testing.T, base string) (cases []conformanceCase) {
	readme, err := os.ReadFile(filepath.Join(base, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(readme), "\n") {
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if len(cells) != 4 || !strings.HasPrefix(cells[3], "out.") {
			continue
		}
		args := strings.Fields(strings.ReplaceAll(cells[0], "(none)", ""))
		c := conformanceCase{args: args, release: trec.Release10, qrels: filepath.Join(base, "official", cells[1]),
			run: filepath.Join(base, "official", cells[2]), want: filepath.Join(base, "official", cells[3])}
		c.name = fmt.Sprintf("official/%s/%s", cells[3], cells[1])
		cases = append(cases, c)
		old := filepath.Join(base, "official-9.0.8", cells[3])
		if _, err := os.Stat(old); err == nil {
			c.name, c.release, c.want = "official-9.0.8/"+cells[3]+"/"+cells[1], trec.Release9, old
			if strings.Contains(cells[1], "comments") {
				c.exit = 2 // comments came with release 10
			}
			cases = append(cases, c)
		}
	}
	return cases
}

// fullPrecisionCases are the official inputs printed with 17 digits.
func fullPrecisionCases(t *testing.T, base string) (cases []conformanceCase) {
	inputs := map[string]struct{ args, qrels, run string }{
		"aq":      {"-m all_trec -q", "qrels.test", "results.test"},
		"aqc":     {"-m all_trec -q -c", "qrels.test", "results.trunc"},
		"aqcM":    {"-m all_trec -q -c -M100", "qrels.test", "results.trunc"},
		"aql":     {"-m all_trec -q -l2", "qrels.rel_level", "results.test"},
		"aqJ":     {"-m all_trec -q -J", "qrels.rel_level", "results.test"},
		"comment": {"-m all_trec -q -c", "qrels.comment.test", "results.comment.reduced.test"},
	}
	files, err := filepath.Glob(filepath.Join(base, "fullprec", "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name, version, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".txt"), ".")
		in, ok := inputs[name]
		if !ok {
			t.Errorf("no options known for %s", file)
			continue
		}
		cases = append(cases, conformanceCase{name: "fullprec/" + filepath.Base(file), args: strings.Fields(in.args), release: release(t, version),
			qrels: filepath.Join(base, "official", in.qrels), run: filepath.Join(base, "official", in.run), want: file, full: true})
	}
	return cases
}

func release(t *testing.T, version string) trec.Release {
	r, err := trec.ParseRelease(version)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// edgeCases are the recorded executions in edge_cases: four digits, and 17 where the exit code was 0.
func edgeCases(t *testing.T, base string) (cases []conformanceCase) {
	data, err := os.ReadFile(filepath.Join(base, "edge_cases", "cases.json"))
	if err != nil {
		t.Fatal(err)
	}
	var list []struct {
		Case    string
		Set     int
		Version string
		Args    []string
		Exit    int
	}
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	for _, x := range list {
		dir := filepath.Join(base, "edge_cases", x.Case)
		c := conformanceCase{args: x.Args, release: release(t, x.Version), qrels: filepath.Join(dir, "qrels"),
			run: filepath.Join(dir, "run"), exit: x.Exit}
		found := false
		for _, full := range []string{"", ".full"} {
			c.want = filepath.Join(dir, fmt.Sprintf("expected%d.%s%s.txt", x.Set, x.Version, full))
			if _, err := os.Stat(c.want); err != nil {
				continue
			}
			found = true
			c.full = full != ""
			c.name = fmt.Sprintf("edge/%s/%d/%s%s", x.Case, x.Set, x.Version, full)
			cases = append(cases, c)
		}
		if !found {
			t.Errorf("%s set %d version %s has no expected output", x.Case, x.Set, x.Version)
		}
	}
	return cases
}
