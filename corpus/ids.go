package corpus

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// ids remembers the ids seen and the line of each, in 20 bytes an id however long they are.
type ids struct{ seen map[[16]byte]int32 }

func newIDs() *ids { return &ids{map[[16]byte]int32{}} }

// add reports whether an id was there before, and on which line.
func (s *ids) add(id string, line int) (first int, seen bool) {
	sum := sha256.Sum256([]byte(id))
	key := [16]byte(sum[:16])
	if n, ok := s.seen[key]; ok {
		return int(n), true
	}
	s.seen[key] = int32(line)
	return 0, false
}

// ignored counts files that are no documents, by extension.
type ignored map[string]int

// String lists the most frequent extensions: "12 .pdf, 3 .docx files".
func (g ignored) String() string {
	if len(g) == 0 {
		return ""
	}
	exts := slices.SortedFunc(maps.Keys(g), func(a, b string) int {
		return cmp.Or(g[b]-g[a], strings.Compare(a, b))
	})
	const most = 5
	var parts []string
	for i, ext := range exts {
		if i == most {
			parts = append(parts, "others")
			break
		}
		parts = append(parts, fmt.Sprintf("%d %s", g[ext], ext))
	}
	return strings.Join(parts, ", ") + " files"
}

func itoa(n int) string { return strconv.Itoa(n) }

// quoted renders an id for a message, bounded.
func quoted(id string) string {
	const most = 80
	if len(id) > most {
		id = strings.ToValidUTF8(id[:most], "") + "…"
	}
	return strconv.Quote(id)
}
