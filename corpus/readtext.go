package corpus

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"
)

const byteOrderMark = "\ufeff"

// readText reads a whole text file, or says why not. A file above limit is not read at all, and a pipe
// or device, which might never end, is not opened.
func readText(path string, limit int64) (text, reason string) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return "", pathReason(err)
	case !info.Mode().IsRegular():
		return "", "not a regular file"
	case info.Size() > limit:
		return "", tooLarge(info.Size(), limit)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", pathReason(err)
	}
	defer f.Close()
	var b strings.Builder
	b.Grow(int(info.Size()))
	// The file may have grown since.
	n, err := io.Copy(&b, io.LimitReader(f, limit+1))
	switch {
	case err != nil:
		return "", pathReason(err)
	case n > limit:
		return "", tooLarge(n, limit)
	}
	text = strings.TrimPrefix(b.String(), byteOrderMark)
	return text, badText(text)
}

func tooLarge(size, limit int64) string {
	return fmt.Sprintf("%.1f MiB, more than the %.0f MiB a document may have", float64(size)/(1<<20), float64(limit)/(1<<20))
}

// badText says why a text cannot be a document, or "".
func badText(text string) string {
	switch {
	case text == "":
		return "empty"
	case strings.HasPrefix(text, "\xff\xfe"), strings.HasPrefix(text, "\xfe\xff"):
		return "UTF-16 text; convert it with: iconv -f UTF-16 -t UTF-8"
	}
	if i := strings.IndexByte(text, 0); i >= 0 {
		return fmt.Sprintf("binary: a zero byte at offset %d", i)
	}
	if !utf8.ValidString(text) {
		i := invalidAt(text)
		line := 1 + strings.Count(text[:i], "\n")
		return fmt.Sprintf("invalid UTF-8: byte 0x%02x at offset %d (line %d)", text[i], i, line)
	}
	if isSpace(text) {
		return "nothing but white space"
	}
	return ""
}

// invalidAt is the offset of the first byte that is not UTF-8.
func invalidAt(text string) int {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(text)
}

// trimBOM removes a byte order mark.
func trimBOM(b []byte) []byte { return bytes.TrimPrefix(b, []byte(byteOrderMark)) }
