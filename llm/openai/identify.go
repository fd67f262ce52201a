package openai

import (
	"context"
	"encoding/json"
	"net/http"
	"path"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/rest"
)

// Identify says as much as the server does. text-embeddings-inference gives the hash of the weights, which
// becomes the Digest; llama.cpp gives the file, its size and its quantization; vLLM its version and the
// model's origin. Of a server that gives none of these, the address stands in Details: two such servers
// may hold different models under one name.
func (c *Client) Identify(ctx context.Context) (assay.Identity, error) {
	id := assay.Identity{Provider: "openai", Model: c.opts.Model, Details: map[string]string{}}
	if err := c.models(ctx, &id); err != nil {
		return id, err
	}
	for _, ask := range []func(context.Context, *assay.Identity) (bool, error){c.llamaCpp, c.tei, c.version} {
		known, err := ask(ctx, &id)
		if err != nil {
			return id, err
		}
		if known {
			break
		}
	}
	if id.Digest == "" && id.Details["file"] == "" {
		id.Details["endpoint"] = strings.TrimRight(c.rest.BaseURL(), "/")
	}
	if m := c.binding(); m != bindUnknown {
		id.Details["structured_output"] = string(m)
	}
	if c.opts.Dimensions > 0 {
		id.Details["dimensions"] = strconv.Itoa(c.opts.Dimensions)
	}
	if c.opts.Truncate {
		id.Details["truncate"] = "true"
	}
	if len(c.opts.Extra) > 0 {
		if b, err := json.Marshal(c.opts.Extra); err == nil {
			id.Details["extra"] = string(b)
		}
	}
	return id, nil
}

// get asks for a description that a server may not have: a refusal, or an answer of another form, is no
// error but known = false. A server that cannot be reached is an error.
func get(ctx context.Context, client *rest.Client, path string, out any) (known bool, err error) {
	err = client.Call(ctx, rest.Request{Op: "identify", Method: http.MethodGet, Path: path}, out)
	switch assay.KindOf(err) {
	case "":
		return true, nil
	case assay.KindTimeout, assay.KindUnavailable, assay.KindCanceled, assay.KindRateLimited:
		return false, err
	}
	return false, nil
}

// models reads the entry of the model in the list, where there is one. Some servers list nothing, or an
// alias, and answer all the same.
func (c *Client) models(ctx context.Context, id *assay.Identity) error {
	var list struct {
		Data []struct {
			ID          string      `json:"id"`
			OwnedBy     string      `json:"owned_by"`
			Root        string      `json:"root"`
			MaxModelLen json.Number `json:"max_model_len"`
			Meta        struct {
				Params json.Number `json:"n_params"`
				Size   json.Number `json:"size"`
			} `json:"meta"`
		} `json:"data"`
	}
	if known, err := get(ctx, c.rest, "/models", &list); !known {
		return err
	}
	for _, m := range list.Data {
		if m.ID != c.opts.Model {
			continue
		}
		setDetails(id, "owned_by", m.OwnedBy, "root", m.Root, "max_model_len", m.MaxModelLen.String(), "n_params", m.Meta.Params.String(), "size", m.Meta.Size.String())
	}
	return nil
}

func setDetails(id *assay.Identity, pairs ...string) {
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" && pairs[i+1] != "0" {
			id.Details[pairs[i]] = pairs[i+1]
		}
	}
}

func (c *Client) llamaCpp(ctx context.Context, id *assay.Identity) (bool, error) {
	var p struct {
		ModelPath string `json:"model_path"`
		Ftype     string `json:"model_ftype"`
		BuildInfo string `json:"build_info"`
		Settings  struct {
			NCtx json.Number `json:"n_ctx"`
		} `json:"default_generation_settings"`
		ChatTemplate string `json:"chat_template"`
	}
	if known, err := get(ctx, c.root, "/props", &p); !known || p.ModelPath == "" {
		return false, err
	}
	id.Server = strings.TrimSpace("llama.cpp " + p.BuildInfo)
	setDetails(id, "file", path.Base(strings.ReplaceAll(p.ModelPath, `\`, "/")), "quantization", p.Ftype, "n_ctx", p.Settings.NCtx.String())
	if p.ChatTemplate != "" {
		id.Details["chat_template"] = assay.HashText(p.ChatTemplate)
	}
	return true, nil
}

func (c *Client) tei(ctx context.Context, id *assay.Identity) (bool, error) {
	var p struct {
		ModelID  string      `json:"model_id"`
		SHA      string      `json:"model_sha"`
		Dtype    string      `json:"model_dtype"`
		MaxInput json.Number `json:"max_input_length"`
		AutoCut  *bool       `json:"auto_truncate"`
		Version  string      `json:"version"`
	}
	if known, err := get(ctx, c.root, "/info", &p); !known || p.ModelID == "" {
		return false, err
	}
	id.Server = strings.TrimSpace("text-embeddings-inference " + p.Version)
	if p.SHA != "" {
		id.Digest = "git:" + p.SHA
	}
	setDetails(id, "root", p.ModelID, "dtype", p.Dtype, "max_input_length", p.MaxInput.String())
	if p.AutoCut != nil {
		id.Details["auto_truncate"] = strconv.FormatBool(*p.AutoCut)
	}
	return true, nil
}

// version is vLLM's way, and that of others: the list of models says whose it is.
func (c *Client) version(ctx context.Context, id *assay.Identity) (bool, error) {
	var p struct {
		Version string `json:"version"`
	}
	if known, err := get(ctx, c.root, "/version", &p); !known || p.Version == "" {
		return false, err
	}
	id.Server = strings.TrimSpace(id.Details["owned_by"] + " " + p.Version)
	return true, nil
}
