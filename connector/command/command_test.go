package command

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector/connectortest"
	"github.com/assay-eval/assay/internal/option"
)

// The program under test is this test binary itself, started with "child" and how it shall behave.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "child" {
		child(os.Args[2])
		return
	}
	os.Exit(m.Run())
}

// child answers questions, well or badly.
func child(how string) {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	say := func(s string) { fmt.Println(s) }
	switch how {
	case "crash":
		fmt.Fprintln(os.Stderr, "Traceback\nModuleNotFoundError: no module named 'faiss'")
		os.Exit(3)
	case "flood":
		for chunk := strings.Repeat("x", 1<<16); ; {
			if _, err := os.Stdout.WriteString(chunk); err != nil {
				return
			}
		}
	case "close":
		os.Stdout.Close()
		time.Sleep(time.Hour)
	}
	for n := 1; ; n++ {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		var q struct {
			Query  string
			K      int
			Filter *assay.Filter
			Vector []float32
		}
		if err := json.Unmarshal([]byte(line), &q); err != nil {
			say(`{"error":"cannot read the question"}`)
			continue
		}
		switch how {
		case "search":
			say(answer(q.Query, q.K, q.Filter))
		case "echo":
			id, _ := json.Marshal(strings.TrimSpace(line))
			say(fmt.Sprintf(`{"hits":[{"id":%s}]}`, id))
		case "pid":
			say(fmt.Sprintf(`{"hits":[{"id":"%d"}]}`, os.Getpid()))
			time.Sleep(20 * time.Millisecond)
		case "hang":
			fmt.Fprintln(os.Stderr, "loading a model")
			time.Sleep(time.Hour)
		case "grandchild":
			cmd := exec.Command(os.Args[0], "child", "hang")
			cmd.Stdin, cmd.Stdout = strings.NewReader("{}\n"), os.Stdout
			_ = cmd.Run()
		case "once":
			say(`{"hits":[{"id":"a"}]}`)
			return
		case "second":
			if n == 2 {
				fmt.Fprintln(os.Stderr, "out of memory")
				os.Exit(9)
			}
			say(`{"hits":[{"id":"a"}]}`)
		case "two":
			say(`{"hits":[{"id":"a"}]}` + "\n" + `{"hits":[{"id":"b"}]}`)
		case "half":
			fmt.Print(`{"hits":[`)
			return
		default:
			say(how) // printed as it is
		}
	}
}

// answer ranks the standard chunks by how often the query's words stand in them.
func answer(query string, k int, f *assay.Filter) string {
	type hit struct {
		ID    string         `json:"id"`
		Score float64        `json:"score"`
		Text  string         `json:"text"`
		Doc   string         `json:"document"`
		Start int            `json:"start"`
		End   int            `json:"end"`
		Meta  map[string]any `json:"metadata"`
	}
	hits := []hit{}
	for _, c := range connectortest.Chunks() {
		n := 0
		for _, w := range strings.Fields(query) {
			n += strings.Count(c.Text, w)
		}
		if f.Match(c.Metadata) {
			hits = append(hits, hit{c.ID, float64(n), c.Text, c.Document, c.Span.Start, c.Span.End, c.Metadata})
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(b.Score, a.Score) })
	b, err := json.Marshal(map[string]any{"hits": hits[:min(k, len(hits))]})
	if err != nil {
		panic(err)
	}
	return string(b)
}

func program(t *testing.T, how string) *Program {
	t.Helper()
	p, err := New(Settings{Command: option.Texts(os.Args[0], "child", how)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

func TestContract(t *testing.T) {
	(&connectortest.Suite{Open: func(t *testing.T) assay.Retriever { return program(t, "search") }}).Run(t)
}

func TestQuestion(t *testing.T) {
	p := program(t, "echo")
	f, err := assay.ParseFilter([]byte(`{"field":"lang","eq":"<de>"}`))
	if err != nil {
		t.Fatal(err)
	}
	for want, req := range map[string]assay.Request{
		`{"query":"a \"b\" \n<c> größe","k":3}`:                            {Text: "a \"b\" \n<c> größe", K: 3},
		`{"query":"x","k":1,"filter":{"field":"lang","eq":"<de>"}}`:        {Text: "x", K: 1, Filter: f},
		`{"query":"x","k":1,"filter":{"native":{"a":[1]}},"vector":[0.5]}`: {Text: "x", K: 1, Filter: &assay.Filter{Native: json.RawMessage(`{"a":[1]}`)}, Vector: []float32{0.5}},
	} {
		resp, err := p.Search(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if d := gocmp.Diff(want, resp.Hits[0].ID); d != "" {
			t.Error(d)
		}
	}
	if _, err := p.Search(t.Context(), assay.Request{Text: "x", K: 1, Vector: []float32{float32(math.NaN())}}); assay.KindOf(err) != assay.KindInvalid {
		t.Errorf("NaN: %v", err)
	}
}

func TestFaults(t *testing.T) {
	for how, c := range map[string]struct {
		kind  assay.Kind
		words string
	}{
		"crash":                             {assay.KindInternal, "it ended (exit status 3) before its first answer; its stderr ends: Traceback ModuleNotFoundError: no module named 'faiss'"},
		"flood":                             {assay.KindMalformed, "a line of more than"},
		"close":                             {assay.KindInternal, "it closed its output before its first answer"},
		"half":                              {assay.KindInternal, "it ended (exit status 0) before its first answer"},
		"loading index... done":             {assay.KindMalformed, "not JSON: loading index... done (log to stderr, not to stdout)"},
		"":                                  {assay.KindMalformed, "an empty line"},
		"[1,2]":                             {assay.KindMalformed, "a list where"},
		`{"results":[]}`:                    {assay.KindMalformed, "nothing at /hits: the top has results"},
		`{"hits":{}}`:                       {assay.KindMalformed, "an object and not a list"},
		`{"hits":[{"score":1}]}`:            {assay.KindMalformed, "hit 1: it has no id"},
		`{"hits":[{"id":"a","score":NaN}]}`: {assay.KindMalformed, "not JSON"},
		`{"error":"index not loaded"}`:      {assay.KindInternal, "it reports: index not loaded"},
		`{"error":{"code":5}}`:              {assay.KindInternal, `it reports: {"code":5}`},
		`{"hits":[],"error":"half of it"}`:  {assay.KindInternal, "it reports: half of it"},
	} {
		p := program(t, how)
		for range 2 { // the second question finds a process that works or a new one, never a mix-up
			_, err := p.Search(t.Context(), assay.Request{Text: "x", K: 3})
			if assay.KindOf(err) != c.kind || !strings.Contains(fmt.Sprint(err), c.words) {
				t.Errorf("%s: %s, %v", how, assay.KindOf(err), err)
			}
		}
	}
}

func TestHangIsKilled(t *testing.T) {
	for _, how := range []string{"hang", "grandchild"} {
		p := program(t, how)
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		_, err := p.Search(ctx, assay.Request{Text: "x", K: 3})
		if assay.KindOf(err) != assay.KindTimeout || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", how, err)
		}
		if how == "hang" && !strings.Contains(fmt.Sprint(err), "its stderr ends: loading a model") {
			t.Errorf("%v", err)
		}
		if len(p.idle) != 0 {
			t.Error("a process that hangs waits for the next question")
		}
		ctx, cancel = context.WithCancel(t.Context())
		time.AfterFunc(50*time.Millisecond, cancel)
		if _, err := p.Search(ctx, assay.Request{Text: "x", K: 3}); assay.KindOf(err) != assay.KindCanceled {
			t.Errorf("%s canceled: %v", how, err)
		}
	}
}

func TestProcessEndsBetweenQuestions(t *testing.T) {
	p := program(t, "once")
	for i := range 3 {
		if i > 0 {
			<-p.idle[0].exited
		}
		if resp, err := p.Search(t.Context(), assay.Request{Text: "x", K: 3}); err != nil || len(resp.Hits) != 1 {
			t.Fatalf("question %d: %v", i, err)
		}
	}
}

func TestProcessEndsInsteadOfAnswering(t *testing.T) {
	p := program(t, "second")
	ask := func() error {
		_, err := p.Search(t.Context(), assay.Request{Text: "x", K: 3})
		return err
	}
	if err := ask(); err != nil {
		t.Fatal(err)
	}
	err := ask()
	if assay.KindOf(err) != assay.KindUnavailable || !strings.Contains(err.Error(), "ended (exit status 9) instead of answering; its stderr ends: out of memory") {
		t.Errorf("%v", err)
	}
	if err := ask(); err != nil {
		t.Errorf("no new process: %v", err)
	}
}

// A program that answers twice would answer every later question with the answer before: it is found out.
func TestTwoLinesForOneQuestion(t *testing.T) {
	p := program(t, "two")
	ask := func() error {
		_, err := p.Search(t.Context(), assay.Request{Text: "x", K: 3})
		return err
	}
	if err := ask(); err != nil {
		t.Fatal(err)
	}
	waitForLine(p.idle[0])
	if err := ask(); assay.KindOf(err) != assay.KindMalformed || !strings.Contains(err.Error(), `more than one line for the question before: {"hits":[{"id":"b"}]}`) {
		t.Errorf("%v", err)
	}
}

// waitForLine waits until the pump stands with a line in its hands.
func waitForLine(p *process) {
	line := <-p.lines
	ready := make(chan []byte)
	p.lines = ready
	go func() { ready <- line }()
	runtime.Gosched()
	time.Sleep(50 * time.Millisecond)
}

func TestOneProcessPerConversation(t *testing.T) {
	p := program(t, "pid")
	var mu sync.Mutex
	pids := map[string]int{}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 5 {
				resp, err := p.Search(t.Context(), assay.Request{Text: "x", K: 1})
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				pids[resp.Hits[0].ID]++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if len(pids) < 2 || len(pids) > 4 {
		t.Errorf("%d processes for 4 workers: %v", len(pids), pids)
	}
	// Closing ends them all.
	all := slices.Clone(p.idle)
	p.Close()
	for _, proc := range all {
		select {
		case <-proc.exited:
		default:
			t.Error("a process outlives Close")
		}
	}
	if _, err := p.Search(t.Context(), assay.Request{Text: "x", K: 1}); err == nil {
		t.Error("a closed program answers")
	}
}

func TestNew(t *testing.T) {
	for _, argv := range [][]string{nil, {""}, {"no-such-program-anywhere"}, {"./no/such/file"}} {
		if _, err := New(Settings{Command: option.Texts(argv...)}); !errors.Is(err, assay.ErrUsage) {
			t.Errorf("%v: %v", argv, err)
		}
	}
	// A relative path starts at the configuration's folder.
	dir := t.TempDir()
	script := filepath.Join(dir, "answer.sh")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nwhile read -r line; do echo '{\"hits\":[{\"id\":\"'\"$(basename \"$(pwd)\")\"'\"}]}'; done\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	p, err := New(Settings{Command: option.Texts("./answer.sh"), Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	resp, err := p.Search(t.Context(), assay.Request{Text: "x", K: 1})
	if err != nil || resp.Hits[0].ID != filepath.Base(dir) {
		t.Errorf("%v, %v", resp, err)
	}
}

func FuzzReadLine(f *testing.F) {
	for _, s := range []string{"", "\n", "a\nb\n", "a\nb", strings.Repeat("x", 200)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		in := bufio.NewReaderSize(strings.NewReader(s), 16)
		var got []string
		for {
			line, err := readLine(in)
			if err != nil {
				if err != io.EOF {
					t.Fatal(err)
				}
				break
			}
			got = append(got, string(line))
		}
		want := strings.Split(s, "\n")
		if d := gocmp.Diff(want[:len(want)-1], append([]string{}, got...)); d != "" {
			t.Fatal(d)
		}
	})
}
