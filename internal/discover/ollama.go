package discover

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/rest"
)

// askOllama lists the models and what each is good for.
func askOllama(ctx context.Context, o *Options, s *Server) error {
	c, err := s.client(o)
	if err != nil {
		return err
	}
	var version struct{ Version string }
	if err := get(ctx, c, "/api/version", nil, &version); err != nil {
		return err
	}
	var tags struct {
		Models []struct{ Name string }
	}
	if err := get(ctx, c, "/api/tags", nil, &tags); err != nil {
		return err
	}
	if version.Version == "" || tags.Models == nil {
		return notThis("Ollama")
	}
	if s.Product = "Ollama"; version.Version != "0.0.0" { // a build of its own names no version
		s.Product += " " + version.Version
	}
	for _, m := range tags.Models {
		s.Models = append(s.Models, ollamaModel(ctx, c, strings.TrimSuffix(m.Name, ":latest")))
	}
	return nil
}

// ollamaModel asks what a model is; one that cannot be asked about is listed by its name alone.
func ollamaModel(ctx context.Context, c *rest.Client, name string) Model {
	m := Model{Name: name}
	var show struct {
		Capabilities []string                   `json:"capabilities"`
		Info         map[string]json.RawMessage `json:"model_info"`
	}
	err := c.Call(ctx, rest.Request{Op: "look", Method: "POST", Path: "/api/show", Body: map[string]string{"model": name}}, &show)
	if err != nil {
		return m
	}
	m.Chats = slices.Contains(show.Capabilities, "completion")
	// Servers before 0.6.4 state no capabilities; the pooling of an embedding model is always stated.
	m.Embeds = slices.Contains(show.Capabilities, "embedding")
	for key, raw := range show.Info {
		if strings.HasSuffix(key, ".pooling_type") && show.Capabilities == nil {
			m.Embeds = true
		}
		var n int
		if strings.HasSuffix(key, ".embedding_length") && json.Unmarshal(raw, &n) == nil {
			m.Dimension = max(m.Dimension, n)
		}
	}
	if !m.Embeds {
		m.Dimension = 0 // the width of a chat model is of no use here
	}
	return m
}
