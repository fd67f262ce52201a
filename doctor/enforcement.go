package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/strictjson"
)

var enforcement = Check{
	Name: "schema",
	Asks: "does the server hold the chat model to a JSON schema?",
	Effect: "replies that are not what was asked for are refused, so queries and judgments go missing, and not at random: the hard " +
		"ones fail first",
	Of: "chat models",
	run: func(ctx context.Context, x *exam) error {
		return x.models(ctx, Writes, x.enforcement)
	},
}

// The schema allows words that no model would write by itself, and the prompt does not name them: a reply that
// fits shows that the decoder was held to it.
var (
	schemaWords   = []string{"zinc-417", "quartz-902", "basalt-335"}
	schemaNumbers = []int{417, 902, 335}
	probeSchema   = json.RawMessage(`{"type":"object","properties":{"stone":{"type":"string","enum":["zinc-417","quartz-902","basalt-335"]},` +
		`"weight":{"type":"integer","enum":[417,902,335]}},"required":["stone","weight"],"additionalProperties":false}`)
)

// schemaTries is how many replies are asked for, with different seeds.
const schemaTries = 2

func (x *exam) enforcement(ctx context.Context, m *Model) Finding {
	blanks := 0
	for try := range schemaTries {
		r, err := m.Chat.Chat(ctx, assay.ChatRequest{Messages: []assay.Message{{Role: "user", Text: "Write one short sentence about the weather in spring."}},
			Schema: probeSchema, MaxTokens: 48, Temperature: 0.7, Seed: x.opts.Seed + uint64(try)})
		switch kind := assay.KindOf(err); {
		case err == nil && fitsProbe(r.Text):
		case err == nil:
			return m.unbound(fmt.Sprintf("the reply is free text: %.60q", r.Text))
		case kind == assay.KindTruncated && startsProbe(rawOf(err)):
			blanks++
		case kind == assay.KindTruncated, kind == assay.KindEmpty, kind == assay.KindMalformed:
			return m.unbound(firstLine(err))
		default:
			return unchecked(err)
		}
	}
	if blanks == schemaTries {
		return Finding{Status: Warning, Cause: "blanks", Found: fmt.Sprintf("%d of %d replies are held to the schema, but filled with blanks until they were cut", blanks, schemaTries),
			Effect: "such replies are refused as truncated: some queries and judgments go missing",
			Fix:    fmt.Sprintf("take a larger model than %s, or one that is trained for chat: this is what a base model does under a schema", m.Served)}
	}
	if binding := m.binding(ctx); binding != "" && binding != "json_schema" {
		f := m.unbound(fmt.Sprintf("the server refuses json_schema, and assay falls back to %s: this reply fits, the next may not", binding))
		f.Status = Warning
		return f
	}
	return healthy("%d of %d replies fit a schema that the prompt does not tell", schemaTries-blanks, schemaTries)
}

// rawOf is the reply that an error keeps.
func rawOf(err error) string {
	var e *assay.Error
	if errors.As(err, &e) {
		return e.Raw
	}
	return ""
}

// startsProbe reports whether a reply that was cut is the beginning of one that fits, blanks aside.
func startsProbe(raw string) bool {
	raw = strings.Join(strings.Fields(raw), "")
	for _, stone := range schemaWords {
		for _, weight := range schemaNumbers {
			for _, whole := range []string{fmt.Sprintf(`{"stone":%q,"weight":%d}`, stone, weight), fmt.Sprintf(`{"weight":%d,"stone":%q}`, weight, stone)} {
				if raw != "" && strings.HasPrefix(whole, raw) {
					return true
				}
			}
		}
	}
	return false
}

func fitsProbe(text string) bool {
	v, err := strictjson.Parse[struct {
		Stone  string `json:"stone"`
		Weight int    `json:"weight"`
	}](text)
	return err == nil && slices.Contains(schemaWords, v.Stone) && slices.Contains(schemaNumbers, v.Weight)
}

func (m *Model) unbound(what string) Finding {
	return Finding{Status: Fault, Cause: "not_enforced", Found: what,
		Fix: fmt.Sprintf("let nothing between assay and the server of %s take `format` (Ollama) or `response_format` (others) out of requests; update a server that ignores it", m.Served)}
}

// binding is how the client found out it can hold replies to a schema; "" when it does not say.
func (m *Model) binding(ctx context.Context) string {
	if m.Identify == nil {
		return ""
	}
	id, err := m.Identify.Identify(ctx)
	if err != nil {
		return ""
	}
	return id.Details["structured_output"]
}
