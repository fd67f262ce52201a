package doctor_test

import (
	"testing"

	"github.com/assay-eval/assay/doctor"
)

func TestText(t *testing.T) {
	o := doctor.Options{Only: []string{"text"}}
	asMetadata := handbook()
	for i := range asMetadata {
		it := &asMetadata[i]
		it.embed, it.text, it.metadata["body"] = it.text, "", it.text
	}
	some := handbook()
	some[3].embed, some[3].text = some[3].text, ""
	for name, c := range map[string]struct {
		items []item
		more  string
		want  want
	}{
		"healthy":         {handbook(), "", want{status: doctor.OK, found: "all 12 chunks"}},
		"in the metadata": {asMetadata, "", want{doctor.Fault, "no_text", "no chunk has a text", "text: metadata.body (in systems.live.retriever)"}},
		"found there":     {asMetadata, ", text: metadata.body", want{status: doctor.OK}},
		"misspelt field":  {handbook(), ", text: metadata.txt", want{doctor.Fault, "no_text", `under "metadata.txt"`, "the chunks have the fields source"}},
		"one without":     {some, "", want{doctor.Warning, "some_empty", "1 of 12 chunks have no text: h-04", "re-ingest"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := examine(t, chromaSystem(t, collection(t, "cosine", c.items), c.more), o)
			c.want.check(t, finding(t, r, "text", "system live"))
		})
	}
}
