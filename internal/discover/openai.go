package discover

import (
	"context"
	"regexp"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/rest"
)

// askOpenAI lists the models of a server that speaks OpenAI's API, and tries which of them embed.
func askOpenAI(ctx context.Context, o *Options, s *Server) error {
	var list struct {
		Object string
		Data   []struct {
			ID string
		}
	}
	if err := s.modelList(ctx, o, &list); err != nil {
		return err
	}
	if list.Data == nil {
		return notThis("a server with OpenAI's API")
	}
	s.Product = "OpenAI-compatible"
	for _, m := range list.Data {
		s.Models = append(s.Models, Model{Name: m.ID})
	}
	if !s.Local() {
		s.Problem = "its models were not tried, for it is not on this machine: name it with --at to have that done"
		return nil
	}
	for i := range s.Models {
		tryModel(ctx, o, s, &s.Models[i])
	}
	return nil
}

// modelList reads the list of models, and settles where the API begins. Some servers answer at their root as well, there
// with shapes of their own, so that /v1 is tried first.
func (s *Server) modelList(ctx context.Context, o *Options, list any) error {
	if bare := s.URL; !strings.HasSuffix(bare, "/v1") {
		s.URL = bare + "/v1"
		if c, err := s.client(o); err != nil {
			return err
		} else if err = get(ctx, c, "/models", nil, list); err == nil || assay.KindOf(err).Retryable() || assay.KindOf(err) == assay.KindRefused {
			return err
		}
		s.URL = bare
	}
	c, err := s.client(o)
	if err != nil {
		return err
	}
	return get(ctx, c, "/models", nil, list)
}

// embedderName is a name that says what the model is for. A server that lists many models may load each that it is
// asked for, so there only these are tried.
var embedderName = regexp.MustCompile(`(?i)embed|bge|\be5\b|gte|minilm|nomic|arctic|jina|mpnet|labse|stella|mxbai`)

const (
	fewModels = 3                // so many can all be tried
	loading   = 60 * time.Second // a model may have to be read from disk first
)

// tryModel embeds one word to learn whether a model embeds and into how many dimensions.
func tryModel(ctx context.Context, o *Options, s *Server, m *Model) {
	if len(s.Models) > fewModels && !embedderName.MatchString(m.Name) {
		m.Chats = true // as far as its name tells
		return
	}
	patient := *o
	patient.Timeout = loading
	c, err := s.client(&patient)
	if err != nil {
		return
	}
	var reply struct {
		Data []struct{ Embedding rest.Vector }
	}
	body := map[string]any{"model": m.Name, "input": []string{"dimension"}, "encoding_format": "float"}
	err = c.Call(ctx, rest.Request{Op: "look", Method: "POST", Path: "/embeddings", Body: body}, &reply)
	if err == nil && len(reply.Data) == 1 && len(reply.Data[0].Embedding) > 0 {
		m.Embeds, m.Dimension = true, len(reply.Data[0].Embedding)
		return
	}
	m.Chats = assay.KindOf(err) != assay.KindTimeout && !embedderName.MatchString(m.Name)
}
