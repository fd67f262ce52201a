package ollama

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
)

// info is what /api/show says about the model, as far as it matters here.
type info struct {
	context      int // longest context the model was trained for; 0 when unknown
	capabilities []string
	family       string
	parameters   string
	quantization string
	remote       string // host that does the work when the model is not local
	preamble     string // text that the server puts into every prompt by itself
}

func (i *info) thinks() bool { return slices.Contains(i.capabilities, "thinking") }

type showReply struct {
	embedded
	Details struct {
		Family            string `json:"family"`
		ParameterSize     string `json:"parameter_size"`
		QuantizationLevel string `json:"quantization_level"`
	} `json:"details"`
	ModelInfo    map[string]json.RawMessage `json:"model_info"`
	Capabilities []string                   `json:"capabilities"`
	RemoteHost   string                     `json:"remote_host"`
	System       string                     `json:"system"`
	Messages     []struct {
		Content string `json:"content"`
	} `json:"messages"`
}

// show asks the server about the model, once; a failure is not remembered.
func (c *Client) show(ctx context.Context) (*info, error) {
	c.mu.Lock()
	known := c.info
	c.mu.Unlock()
	if known != nil {
		return known, nil
	}
	const op, path = "show model", "/api/show"
	var r showReply
	if err := c.post(ctx, op, path, map[string]string{"model": c.opts.Model}, &r); err != nil {
		return nil, err
	}
	if err := c.check(op, path, r.embedded); err != nil {
		return nil, err
	}
	i := &info{
		capabilities: r.Capabilities,
		family:       r.Details.Family,
		parameters:   r.Details.ParameterSize,
		quantization: r.Details.QuantizationLevel,
		remote:       r.RemoteHost,
		context:      contextLength(r.ModelInfo),
		preamble:     r.System,
	}
	for _, m := range r.Messages {
		i.preamble += m.Content
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.info = i
	return i, nil
}

// contextLength finds "<architecture>.context_length".
func contextLength(m map[string]json.RawMessage) int {
	var arch string
	if json.Unmarshal(m["general.architecture"], &arch) == nil && arch != "" {
		var n int
		if json.Unmarshal(m[arch+".context_length"], &n) == nil {
			return n
		}
	}
	longest := 0
	for k, raw := range m {
		var n int
		if strings.HasSuffix(k, ".context_length") && json.Unmarshal(raw, &n) == nil {
			longest = max(longest, n)
		}
	}
	return longest
}
