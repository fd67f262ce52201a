package ollama

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
)

// Identify names the model by the digest of its manifest, which covers weights, template and parameters,
// and the server by its version. Details hold what of the client's settings shapes a reply.
func (c *Client) Identify(ctx context.Context) (assay.Identity, error) {
	id := assay.Identity{Provider: "ollama", Model: c.opts.Model, Details: map[string]string{}}
	i, err := c.show(ctx)
	if err != nil {
		return id, err
	}
	var version struct {
		Version string `json:"version"`
	}
	if err := c.call(ctx, "identify", http.MethodGet, "/api/version", nil, &version); err != nil {
		return id, err
	}
	id.Server = "ollama " + version.Version
	var tags struct {
		Models []struct {
			Name   string `json:"name"`
			Model  string `json:"model"`
			Digest string `json:"digest"`
		} `json:"models"`
	}
	if err := c.call(ctx, "identify", http.MethodGet, "/api/tags", nil, &tags); err != nil {
		return id, err
	}
	for _, m := range tags.Models {
		if sameModel(m.Name, c.opts.Model) || sameModel(m.Model, c.opts.Model) {
			id.Digest = withAlgorithm(m.Digest)
		}
	}
	c.details(i, id.Details)
	return id, nil
}

func (c *Client) details(i *info, d map[string]string) {
	set := func(key, value string) {
		if value != "" && value != "0" {
			d[key] = value
		}
	}
	set("family", i.family)
	set("parameters", i.parameters)
	set("quantization", i.quantization)
	set("context_length", strconv.Itoa(i.context))
	set("remote_host", i.remote)
	set("num_ctx", strconv.Itoa(c.opts.NumCtx))
	set("dimensions", strconv.Itoa(c.opts.Dimensions))
	if i.thinks() {
		d["think"] = c.opts.Think
	}
	if c.opts.Truncate {
		d["truncate"] = "true"
	}
	if len(c.opts.Extra) > 0 {
		d["options"] = canonical(c.opts.Extra)
	}
}

// sameModel compares names as Ollama does: without regard to case, a missing tag meaning latest.
func sameModel(a, b string) bool { return strings.EqualFold(fullName(a), fullName(b)) }

func fullName(name string) string {
	if i := strings.LastIndexByte(name, ':'); i < 0 || strings.ContainsRune(name[i:], '/') {
		return name + ":latest"
	}
	return name
}

func withAlgorithm(digest string) string {
	if digest == "" || strings.Contains(digest, ":") {
		return digest
	}
	return "sha256:" + digest
}
