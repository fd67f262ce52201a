package compare

import (
	"slices"
	"strings"

	"github.com/assay-eval/assay/ledger"
)

// testsetKeys are the keys of a fingerprint that are about the questions and not about the system.
const testsetKeys = "testset."

// thing groups the keys of a fingerprint by what a person changes in one stroke: an embedding model is one thing, though
// its name, its digest and its server are three keys. Each setting of a retriever is a thing of its own.
func thing(key string) string {
	parts := strings.Split(key, ".")
	switch {
	case parts[0] != "system" || len(parts) < 2:
		return parts[0]
	case parts[1] == "retriever", len(parts) > 2 && parts[2] == "retriever": // the latter of a part of a fused system
		return key
	case parts[1] == "k", parts[1] == "embed", parts[1] == "rerank", len(parts) < 3:
		return "system." + parts[1]
	}
	return "system." + parts[1] + "." + parts[2]
}

// things lists what changed in a system, in the order of the keys. What follows from another change is no thing of its own:
// an index is other when its documents or its retriever are, and another kind of retriever brings its own settings.
func things(changes []ledger.Change) []string {
	var out []string
	kind := changed(changes, "system.retriever.kind")
	for _, c := range changes {
		t := thing(c.Key)
		if strings.HasPrefix(c.Key, testsetKeys) {
			continue
		}
		if kind && strings.HasPrefix(t, "system.") && t != "system.k" && t != "system.rerank" {
			t = "system.retriever"
		}
		if !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	explained := func(t string) bool {
		return t == "corpus" || t == "system.embed" || strings.Contains(t, ".retriever")
	}
	if len(out) > 1 && slices.ContainsFunc(out, explained) {
		out = slices.DeleteFunc(out, func(t string) bool { return t == "index" })
	}
	return out
}

// changed reports whether a key is among the changes.
func changed(changes []ledger.Change, key string) bool {
	return slices.ContainsFunc(changes, func(c ledger.Change) bool { return c.Key == key })
}
