package doctor

import (
	"context"
	"fmt"
	"strings"

	"github.com/assay-eval/assay/internal/vector"
)

// blankProbe is a text whose first word some tokenizers join to a prefix that does not end in a blank.
const blankProbe = "how long are backups kept"

// blank is the finding for prefixes that are right but for the blanks at their ends, where the model minds: "query:what" is another
// text than "query: what" to a tokenizer that keeps blanks (SentencePiece) and the same to one that drops them (WordPiece).
func (x *exam) blank(ctx context.Context, m *Model) (Finding, bool) {
	for _, side := range []struct{ key, have, trained string }{
		{"query_prefix", m.Query, m.Trained.Query}, {"document_prefix", m.Document, m.Trained.Document},
	} {
		end := side.trained[len(strings.TrimRight(side.trained, " \n")):]
		want := strings.TrimRight(side.have, " \n") + end
		if side.have == want || strings.TrimSpace(side.have) == "" {
			continue
		}
		as, err := x.embed(ctx, m, side.have+blankProbe)
		if err != nil {
			continue
		}
		with, err := x.embed(ctx, m, want+blankProbe)
		if err != nil {
			continue
		}
		if cos := vector.Cosine(as.vector, with.vector); cos < sameVector {
			return Finding{Status: Warning, Cause: "blank", Fix: fmt.Sprintf("%s: %q (in models.%s)", side.key, want, m.Name),
				Found: fmt.Sprintf("%s was trained with %s %q and has %q: without the same end the vector of a text is another (cosine %.3f)", m.Served, side.key, want, side.have, cos)}, true
		}
	}
	return Finding{}, false
}
