package llm_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm"
)

func TestCacheKeepsAcrossProcesses(t *testing.T) {
	dir := t.TempDir()
	m := &counter{}
	req := assay.ChatRequest{Messages: []assay.Message{{Role: "user", Text: "Hi"}}, TopLogprobs: 1}
	m.reply = assay.ChatReply{Text: "Ho", Thinking: "Hm", PromptTokens: 3, OutputTokens: 1, Logprobs: []assay.TokenProbs{{Token: "Ho", Logprob: -0.1}}}
	var first assay.ChatReply
	for round := range 3 {
		c := open(t, dir)
		e, chat, rerank := c.Embedder(m, model, 0), c.Chat(m, model), c.Reranker(m, model)
		r := embed(t, e, "a", "bb", "a", "cut~")
		if !slices.Equal(r.Truncated, []int{3}) || round > 0 && (r.Cached != 4 || r.Tokens != 0) {
			t.Errorf("round %d: truncated %v, %d cached, %d tokens", round, r.Truncated, r.Cached, r.Tokens)
		}
		reply, err := chat.Chat(t.Context(), req)
		if err != nil || reply.Cached != (round > 0) {
			t.Errorf("round %d: cached %v, %v", round, reply.Cached, err)
		}
		reply.Cached = false
		if round == 0 {
			first = reply
		}
		if diff := cmp.Diff(first, reply); diff != "" {
			t.Errorf("round %d: reply differs from the first:\n%s", round, diff)
		}
		if scores, err := rerank.Rerank(t.Context(), "q", []string{"x", "yyy"}); err != nil || !slices.Equal(scores, []float64{1, 3}) {
			t.Errorf("round %d: scores %v, %v", round, scores, err)
		}
		if s := c.Stats(); round == 1 && (s.Misses != 0 || s.Entries != 5 || s.Damaged != 0) {
			t.Errorf("%+v", s)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if m.count() != 3 {
		t.Errorf("%d calls reached the model, want one each", m.count())
	}
	if want := []string{"a", "bb", "cut~", "x", "yyy"}; !slices.Equal(m.texts, want) {
		t.Errorf("sent %q, want each text once: %q", m.texts, want)
	}
}

// Everything that shapes a reply is part of the key, and nothing else is.
func TestCacheKeys(t *testing.T) {
	base := assay.ChatRequest{Messages: []assay.Message{{Role: "user", Text: "Hi"}}, Schema: json.RawMessage(`{"type":"object"}`),
		MaxTokens: 5, Temperature: 0.5, Seed: 1, Stop: []string{"a", "b"}, TopLogprobs: 2}
	id := func(change func(*assay.Identity)) assay.Identity {
		i := model
		i.Details = map[string]string{"quantization": "Q4", "think": "off"}
		if change != nil {
			change(&i)
		}
		return i
	}
	req := func(change func(*assay.ChatRequest)) assay.ChatRequest {
		r := base
		r.Messages, r.Stop = slices.Clone(r.Messages), slices.Clone(r.Stop)
		if change != nil {
			change(&r)
		}
		return r
	}
	for name, c := range map[string]struct {
		id   func(*assay.Identity)
		req  func(*assay.ChatRequest)
		same bool
	}{
		"the same":               {nil, nil, true},
		"blanks in the schema":   {nil, func(r *assay.ChatRequest) { r.Schema = json.RawMessage("{ \"type\" :\n\"object\" }") }, true},
		"another tag":            {func(i *assay.Identity) { i.Model = "m:8b" }, nil, true}, // the digest is the same
		"known after a call":     {func(i *assay.Identity) { i.Details["structured_output"] = "json_schema" }, nil, true},
		"another digest":         {func(i *assay.Identity) { i.Digest = "sha256:bb" }, nil, false},
		"another tag, no digest": {func(i *assay.Identity) { i.Digest, i.Model = "", "m:8b" }, nil, false},
		"another server":         {func(i *assay.Identity) { i.Server = "ollama 2" }, nil, false},
		"another setting":        {func(i *assay.Identity) { i.Details["think"] = "on" }, nil, false},
		"text":                   {nil, func(r *assay.ChatRequest) { r.Messages[0].Text = "Hi " }, false},
		"role":                   {nil, func(r *assay.ChatRequest) { r.Messages[0].Role = "system" }, false},
		"messages cut elsewhere": {nil, func(r *assay.ChatRequest) {
			r.Messages = []assay.Message{{Role: "user", Text: "H"}, {Role: "user", Text: "i"}}
		}, false},
		"schema":      {nil, func(r *assay.ChatRequest) { r.Schema = nil }, false},
		"cap":         {nil, func(r *assay.ChatRequest) { r.MaxTokens = 6 }, false},
		"temperature": {nil, func(r *assay.ChatRequest) { r.Temperature = 0 }, false},
		"seed":        {nil, func(r *assay.ChatRequest) { r.Seed = 2 }, false},
		"stop":        {nil, func(r *assay.ChatRequest) { r.Stop = []string{"ab"} }, false},
		"logprobs":    {nil, func(r *assay.ChatRequest) { r.TopLogprobs = 0 }, false},
	} {
		t.Run(name, func(t *testing.T) {
			m := &counter{reply: assay.ChatReply{Text: "{}"}}
			cache := open(t, t.TempDir())
			for _, model := range []struct {
				id  assay.Identity
				req assay.ChatRequest
			}{{id(nil), req(nil)}, {id(c.id), req(c.req)}} {
				if _, err := cache.Chat(m, model.id).Chat(t.Context(), model.req); err != nil {
					t.Fatal(err)
				}
			}
			if same := m.count() == 1; same != c.same {
				t.Errorf("same key: %v, want %v", same, c.same)
			}
		})
	}
	m := &counter{}
	cache := open(t, t.TempDir())
	e := cache.Embedder(m, model, 0)
	for _, role := range []assay.Role{assay.RoleQuery, assay.RoleDocument, assay.RoleQuery} {
		if _, err := e.Embed(t.Context(), assay.EmbedRequest{Texts: []string{"x"}, Role: role}); err != nil {
			t.Fatal(err)
		}
	}
	if m.count() != 2 {
		t.Errorf("%d calls for two roles", m.count())
	}
}

// Nothing that is wrong enters: neither a failure, nor prose where a schema binds, nor a bad vector.
func TestCacheKeepsNothingWrong(t *testing.T) {
	cache := open(t, t.TempDir())
	m := &counter{fail: assay.Errorf(assay.KindTruncated, "chat", "host", "cut")}
	chat := cache.Chat(m, model)
	for range 2 {
		if _, err := chat.Chat(t.Context(), ask("Hi")); assay.KindOf(err) != assay.KindTruncated {
			t.Errorf("%v", err)
		}
	}
	m.fail, m.reply = nil, assay.ChatReply{Text: `Sure! {"grade":3}`}
	bound := ask("Hi")
	bound.Schema = json.RawMessage(`{"type":"object"}`)
	for range 2 {
		if r, err := chat.Chat(t.Context(), bound); err != nil || r.Cached || r.Text != m.reply.Text {
			t.Errorf("%+v, %v", r, err)
		}
	}
	for _, bad := range [][][]float32{{{0, 0}}, {{1}, {2}}, {}, {nil}} {
		e := cache.Embedder(fixed(bad), model, 0)
		if r, err := e.Embed(t.Context(), assay.EmbedRequest{Texts: []string{"x"}, Role: assay.RoleQuery}); assay.KindOf(err) != assay.KindMalformed {
			t.Errorf("%v: %v, %v", bad, r, err)
		}
	}
	if s := cache.Stats(); s.Entries != 0 || m.count() != 4 {
		t.Errorf("%+v after %d calls", s, m.count())
	}
}

// Of a batch with bad texts, the good ones are kept and the bad ones named by their place in the call.
func TestCachePartial(t *testing.T) {
	for _, batch := range []int{1, 2, 3, 100} {
		m := &counter{}
		e := open(t, t.TempDir()).Embedder(m, model, batch)
		texts := []string{"good", "bad!", "fine", "worse!!", "bad!", "last"}
		for round := range 2 {
			before := len(m.texts)
			_, err := e.Embed(t.Context(), assay.EmbedRequest{Texts: texts, Role: assay.RoleDocument})
			var p *llm.PartialError
			if !errors.As(err, &p) || assay.KindOf(err) != assay.KindTruncated {
				t.Fatalf("batch %d: %v is no PartialError", batch, err)
			}
			var at []int
			for _, f := range p.Failed {
				at = append(at, f.Index)
			}
			if !slices.Equal(at, []int{1, 3, 4}) {
				t.Errorf("batch %d: failed %v", batch, at)
			}
			for i, v := range p.Reply.Vectors {
				if bad := strings.Contains(texts[i], "!"); bad != (v == nil) {
					t.Errorf("batch %d: text %d has %v", batch, i, v)
				}
			}
			if round == 1 {
				again := slices.Clone(m.texts[before:])
				slices.Sort(again)
				if !slices.Equal(again, []string{"bad!", "worse!!"}) || p.Reply.Cached != 3 {
					t.Errorf("batch %d: asked again for %q, %d cached", batch, again, p.Reply.Cached)
				}
			}
		}
	}
}

// A call that fails half-way keeps the batches that were finished.
func TestCacheKeepsFinishedBatches(t *testing.T) {
	m := &failing{counter: &counter{}, after: 2}
	e := open(t, t.TempDir()).Embedder(m, model, 2)
	texts := []string{"a", "bb", "ccc", "dddd", "eeeee"}
	if _, err := e.Embed(t.Context(), assay.EmbedRequest{Texts: texts, Role: assay.RoleDocument}); assay.KindOf(err) != assay.KindUnavailable {
		t.Fatal(err)
	}
	m.after = 100
	if r := embed(t, e, texts...); r.Cached != 4 || m.texts[len(m.texts)-1] != "eeeee" || m.calls != 3 {
		t.Errorf("%d cached, sent %q in %d calls", r.Cached, m.texts, m.calls)
	}
}

// Equal calls at one time make one call; when its caller gives up, another takes over.
func TestCacheSingleFlight(t *testing.T) {
	m := &counter{gate: make(chan struct{})}
	cache := open(t, t.TempDir())
	chat, e := cache.Chat(m, model), cache.Embedder(m, model, 2)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if r, err := chat.Chat(t.Context(), ask("Hi")); err != nil || r.Text != "reply to Hi" {
				t.Errorf("%+v, %v", r, err)
			}
		})
		wg.Go(func() { embed(t, e, "a", "bb", "ccc", "a", "dddd") })
	}
	close(m.gate)
	wg.Wait()
	if m.count() != 1+2 {
		slices.Sort(m.texts)
		t.Errorf("%d calls, texts %q", m.count(), m.texts)
	}
}

func TestCacheFollowerOutlivesLeader(t *testing.T) {
	m := &counter{gate: make(chan struct{})}
	chat := open(t, t.TempDir()).Chat(m, model)
	leader, giveUp := withCancel(t)
	led := make(chan error, 1)
	go func() {
		_, err := chat.Chat(leader, ask("Hi"))
		led <- err
	}()
	for m.count() == 0 {
		time.Sleep(time.Millisecond)
	}
	followed := make(chan error, 1)
	go func() {
		_, err := chat.Chat(t.Context(), ask("Hi"))
		followed <- err
	}()
	giveUp()
	if err := <-led; assay.KindOf(err) != assay.KindCanceled {
		t.Errorf("leader: %v", err)
	}
	close(m.gate)
	if err := <-followed; err != nil || m.count() != 2 {
		t.Errorf("follower: %v after %d calls", err, m.count())
	}
}

// Many callers with overlapping lists neither wait for each other for ever nor mix up vectors.
func TestCacheOverlappingCalls(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp(t.TempDir(), "")
		if err != nil {
			rt.Fatal(err)
		}
		m := &counter{}
		e := open(t, dir).Embedder(m, model, rapid.IntRange(1, 5).Draw(rt, "batch"))
		lists := rapid.SliceOfN(rapid.SliceOfN(rapid.StringMatching(`[a-c]{0,3}[!~]?`), 0, 12), 1, 6).Draw(rt, "lists")
		var wg sync.WaitGroup
		for _, texts := range lists {
			wg.Go(func() {
				r, err := e.Embed(t.Context(), assay.EmbedRequest{Texts: texts, Role: assay.RoleDocument})
				var p *llm.PartialError
				if errors.As(err, &p) {
					r = p.Reply
				} else if err != nil && !(len(texts) > 0 && !slices.ContainsFunc(texts, func(s string) bool { return !strings.Contains(s, "!") })) && !strings.Contains(err.Error(), "too long") {
					t.Error(err)
					return
				}
				for i, v := range r.Vectors {
					if bad := strings.Contains(texts[i], "!"); bad != (v == nil) || !bad && v[0] != float32(len(texts[i])) {
						t.Errorf("%q has %v", texts[i], v)
					}
				}
			})
		}
		wg.Wait()
	})
}

// A damaged entry is fetched again, and its value is then right.
func TestCacheHealsDamage(t *testing.T) {
	dir := t.TempDir()
	m := &counter{}
	c := open(t, dir)
	embed(t, c.Embedder(m, model, 0), "a", "bb", "ccc")
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.seg"))
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-1] ^= 0xff
	if err := os.WriteFile(files[0], data, 0o600); err != nil {
		t.Fatal(err)
	}
	c = open(t, dir)
	if r := embed(t, c.Embedder(m, model, 0), "a", "bb", "ccc"); r.Cached != 2 || m.texts[len(m.texts)-1] != "ccc" || c.Stats().Damaged != 1 {
		t.Errorf("%d cached, sent %q, %+v", r.Cached, m.texts, c.Stats())
	}
}

// A cache that cannot be written goes on without storing and says so once.
func TestCacheThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	var warnings []assay.Warning
	c, err := llm.OpenCache(dir, func(w assay.Warning) { warnings = append(warnings, w) })
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	// The folder goes away under the cache: root may write anywhere, so permissions would not do.
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	m := &counter{}
	e := c.Embedder(m, model, 0)
	for range 2 {
		embed(t, e, "a")
	}
	if m.count() != 2 || len(warnings) != 1 || warnings[0].Code != "cache_not_written" {
		t.Errorf("%d calls, warnings %v", m.count(), warnings)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := llm.OpenCache(file, nil); err == nil || !strings.Contains(assay.Hint(err), file) {
		t.Errorf("%v; hint %q", err, assay.Hint(err))
	}
}

func BenchmarkCachedVector(b *testing.B) {
	m := &counter{}
	e := open(b, b.TempDir()).Embedder(m, model, 0)
	embed(b, e, "a text of some length, as queries are")
	b.ReportAllocs()
	for b.Loop() {
		embed(b, e, "a text of some length, as queries are")
	}
}
