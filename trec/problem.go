package trec

import (
	"bytes"
	"fmt"
	"io"

	"github.com/assay-eval/assay"
)

// problem is an error at a byte offset of a file. Workers meet problems in any order; the one that is
// reported is the first in the file.
type problem struct {
	offset int64
	err    error
	hint   string
	other  int64 // offset of an earlier line that has to do with it
	paired bool  // other is set
}

func (p *problem) Error() string { return p.err.Error() }

func problemf(offset int64, format string, args ...any) *problem {
	return &problem{offset: offset, err: fmt.Errorf(format, args...)}
}

// located turns a problem into an error with file and line, which it finds by counting line feeds.
func (s *source) located(p *problem) error {
	line, err := s.lineAt(p.offset)
	where := s.label()
	if err == nil {
		where = fmt.Sprintf("%s:%d", where, line)
	}
	if p.paired && err == nil {
		if first, err := s.lineAt(p.other); err == nil {
			p.err = fmt.Errorf("%w, first on line %d", p.err, first)
		}
	}
	e := usage(assay.Errorf(assay.KindMalformed, "read", where, "%w", p.err))
	if p.hint != "" {
		e = assay.WithHint(e, "%s", p.hint)
	}
	return e
}

// lineAt is the number, from 1, of the line that holds the byte at offset of the text.
func (s *source) lineAt(offset int64) (int, error) {
	if s.text != nil {
		return 1 + bytes.Count(s.text[:offset], []byte{'\n'}), nil
	}
	var r io.Reader
	if s.plainFile() {
		r = io.NewSectionReader(s.file, 0, offset)
	} else {
		text, err := s.stream()
		if err != nil {
			return 0, err
		}
		defer text.Close()
		r = io.LimitReader(text, offset)
	}
	buf := make([]byte, 256<<10)
	for line := 1; ; {
		n, err := r.Read(buf)
		line += bytes.Count(buf[:n], []byte{'\n'})
		if err == io.EOF {
			return line, nil
		}
		if err != nil {
			return 0, err
		}
	}
}

// countFields counts the fields of a line, for messages.
func countFields(line []byte) int {
	return len(bytes.FieldsFunc(line, func(r rune) bool { return r < 0x80 && blank(byte(r)) }))
}

// quote shows the start of foreign text in a message.
func quote(text []byte) string {
	const most = 40
	if len(text) > most {
		return fmt.Sprintf("%q…", text[:most])
	}
	return fmt.Sprintf("%q", text)
}
