package llm

import (
	"context"

	"github.com/assay-eval/assay"
)

// Prefix puts a text before every query and every document that is embedded. Put it outside the cache,
// whose keys are texts as they are sent.
func Prefix(e assay.Embedder, query, document string) assay.Embedder {
	if query == "" && document == "" {
		return e
	}
	return &prefixed{e, map[assay.Role]string{assay.RoleQuery: query, assay.RoleDocument: document}}
}

type prefixed struct {
	inner  assay.Embedder
	prefix map[assay.Role]string
}

func (p *prefixed) Embed(ctx context.Context, req assay.EmbedRequest) (assay.EmbedReply, error) {
	prefix, known := p.prefix[req.Role]
	if !known {
		return assay.EmbedReply{}, assay.Errorf(assay.KindInvalid, "embed", "", "role %q is neither query nor document, so the prefix is unknown", req.Role)
	}
	if prefix == "" {
		return p.inner.Embed(ctx, req)
	}
	texts := make([]string, len(req.Texts))
	for i, t := range req.Texts {
		texts[i] = prefix + t
	}
	req.Texts = texts
	return p.inner.Embed(ctx, req)
}

func (p *prefixed) Unwrap() any { return p.inner }
