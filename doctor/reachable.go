package doctor

import (
	"context"
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/plural"
	"github.com/assay-eval/assay/internal/rest"
)

const reachableName = "reachability"

var reachable = Check{
	Name:   reachableName,
	Asks:   "does every store and model that is named answer, and is it the one that is meant?",
	Effect: "nothing can be measured: every query through it fails",
	Of:     "models, corpus, systems",
	run: func(ctx context.Context, x *exam) error {
		for _, m := range x.setup.Models {
			x.reach(m.subject(), m.Where, x.elsewhere(ctx, m.reach(ctx), m.Provider, m.Server))
		}
		if c := x.setup.Corpus; c != nil {
			x.reach(corpusSubject, c.Where, x.reachCorpus(ctx))
		}
		for _, s := range x.setup.Systems {
			if live(s) || s.Err != nil {
				x.reach(s.subject(), s.Where, x.elsewhere(ctx, x.reachSystem(ctx, s), s.Kind, s.Mend.URL))
			}
		}
		return ctx.Err()
	},
}

// reach records a finding and remembers who is not to be asked anything more.
func (x *exam) reach(subject, where string, f Finding) {
	x.down[subject] = f.Status == Fault
	x.add(subject, where, f)
}

// elsewhere adds to the finding of a server of this machine that does not answer where such a server does.
func (x *exam) elsewhere(ctx context.Context, f Finding, kind, address string) Finding {
	if f.Cause != string(assay.KindUnavailable) || x.setup.Elsewhere == nil || !rest.Loopback(address) {
		return f
	}
	if at := x.setup.Elsewhere(ctx, kind); len(at) > 0 {
		f.Fix += fmt.Sprintf("; one of this kind answers at %s", strings.Join(at, " and "))
	}
	return f
}

// unreached is the finding of an error in reaching something. The fix is the hint of whoever failed.
func unreached(err error) Finding {
	f := Finding{Status: Fault, Cause: string(assay.KindOf(err)), Fix: assay.Hint(err)}
	if err != nil {
		f.Found = firstLine(err)
	}
	return f
}

func (x *exam) reachCorpus(ctx context.Context) Finding {
	l, err := x.listCorpus(ctx)
	switch {
	case err != nil:
		f := unreached(err)
		if f.Fix == "" {
			f.Fix = "correct corpus.path; `assay config check` prints what is in force"
		}
		return f
	case !l.whole:
		return healthy("more than %d chunks", MaxListed)
	}
	return healthy("%s", plural.Count(len(l.chunks), "chunk"))
}

// reach asks a model for the smallest piece of its work.
func (m *Model) reach(ctx context.Context) Finding {
	if m.Err != nil {
		return unreached(m.Err)
	}
	var id assay.Identity
	if m.Identify != nil {
		var err error
		if id, err = m.Identify.Identify(ctx); err != nil {
			return unreached(err)
		}
	}
	what, err := m.work(ctx)
	if err != nil {
		return unreached(err)
	}
	if id.Server != "" {
		what = id.Server + ", " + what
	}
	if id.Digest != "" {
		what += ", " + shortDigest(id.Digest)
	}
	return healthy("%s", what)
}

// work asks for one vector, a word or a score.
func (m *Model) work(ctx context.Context) (string, error) {
	switch m.Role {
	case Embeds:
		r, err := m.Embedder.Embed(ctx, assay.EmbedRequest{Texts: []string{"reachable"}, Role: assay.RoleQuery})
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%s gives %d dimensions", m.Served, len(r.Vectors[0])), nil
	case Writes:
		_, err := m.Chat.Chat(ctx, assay.ChatRequest{Messages: []assay.Message{{Role: "user", Text: "Say yes."}}, MaxTokens: 4})
		// A reply that was cut after four tokens, or that held none, is an answer all the same.
		if k := assay.KindOf(err); err != nil && k != assay.KindTruncated && k != assay.KindEmpty {
			return "", err
		}
		return m.Served + " writes", nil
	case Reranks:
		if _, err := m.Reranker.Rerank(ctx, "reachable", []string{"a text"}); err != nil {
			return "", err
		}
		return m.Served + " scores", nil
	}
	return m.Served + " is used by nothing", nil
}

// shortDigest is enough of a digest to tell two models apart.
func shortDigest(d string) string {
	const shown = 12
	algorithm, rest, found := strings.Cut(d, ":")
	if !found || len(rest) <= shown {
		return d
	}
	return algorithm + ":" + rest[:shown]
}

// reachSystem inspects a store, or sends a query to what cannot be inspected.
func (x *exam) reachSystem(ctx context.Context, s *System) Finding {
	if s.Err != nil {
		return unreached(s.Err)
	}
	if _, ok := assay.As[assay.Inspector](s.Store); ok {
		i, err := x.inspect(ctx, s)
		if err != nil {
			return unreached(err)
		}
		if i.Count == 0 {
			return Finding{Status: Fault, Cause: "empty", Found: "the index holds no chunk", Fix: fmt.Sprintf("fill %s, or name another collection in systems.%s.retriever", s.named(), s.Name)}
		}
		if i.Count < 0 {
			return healthy("%s", i.Server)
		}
		return healthy("%s, %s", i.Server, plural.Count(i.Count, "chunk"))
	}
	if s.Embed != nil && x.down[s.Embed.subject()] {
		return unchecked(fmt.Errorf("its model %s does not answer", s.Embed.Name))
	}
	resp, err := s.Whole.Search(ctx, assay.Request{Text: "reachable", K: 1})
	if err != nil {
		return unreached(err)
	}
	return healthy("answers with %s", plural.Count(len(resp.Hits), "hit"))
}

// named is what the index is called.
func (s *System) named() string {
	if s.Mend.Collection != "" {
		return "the collection " + s.Mend.Collection
	}
	return "the index"
}
