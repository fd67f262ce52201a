package testset

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/assay-eval/assay"
)

// idDigits is the number of hex digits of a derived id: 64 bits, so that a collision among a million
// queries has a probability of about 3 in 10⁸.
const idDigits = 16

// QueryID derives the id of a query that was given none: "q-" and a hex prefix of the SHA-256 of its text
// in Unicode normal form C without surrounding white space, followed, where there is a filter, by a zero
// byte and the filter's canonical JSON. The same question under another filter is another query.
func QueryID(text string, filter *assay.Filter) string {
	key := norm.NFC.String(strings.TrimSpace(text))
	if filter != nil {
		key += "\x00" + filter.String()
	}
	sum := sha256.Sum256([]byte(key))
	return "q-" + hex.EncodeToString(sum[:])[:idDigits]
}
