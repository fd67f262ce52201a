package report

import (
	"encoding/csv"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"
)

var _ = register(Format{Name: "CSV", Extensions: []string{".csv"}, Write: writeCSV})

// writeCSV writes the main table of the model, every row of it. Numbers are in full and without units: fractions where a
// page shows percent, milliseconds, RFC 3339. A column whose cells have intervals is followed by two more, named after it
// with _lo and _hi. Unknown is an empty field.
func writeCSV(w io.Writer, m *Model) error {
	t := m.main()
	if t == nil {
		return errors.New("report: there is no table to write as CSV")
	}
	c := csv.NewWriter(w)
	bounds := make([]bool, len(t.Columns))
	for i := range t.Columns {
		bounds[i] = t.Columns[i].Aside
	}
	for _, r := range t.Rows {
		for i, cell := range r {
			bounds[i] = bounds[i] || cell.bounds != nil
		}
	}
	var header []string
	for i := range t.Columns {
		name := plainText(t.Columns[i].Name)
		header = append(header, name)
		if bounds[i] {
			header = append(header, name+"_lo", name+"_hi")
		}
	}
	if err := c.Write(header); err != nil {
		return err
	}
	for r := range t.every() {
		var row []string
		for i := range t.Columns {
			cell := Unknown
			if i < len(r) {
				cell = r[i]
			}
			row = append(row, cell.field())
			if bounds[i] {
				lo, hi := "", ""
				if cell.bounds != nil {
					lo, hi = exact(cell.bounds.Lo), exact(cell.bounds.Hi)
				}
				row = append(row, lo, hi)
			}
		}
		if err := c.Write(row); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// field is the cell for a program.
func (c Cell) field() string {
	switch c.kind {
	case unknownCell, spanCell:
		return ""
	case textCell, codeCell:
		return plainText(c.text)
	case instantCell:
		return time.Unix(int64(c.value), 0).UTC().Format(time.RFC3339)
	}
	return exact(c.value)
}

func exact(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// plainText keeps a spreadsheet from taking foreign text for a formula: what begins like one gets an apostrophe, which a
// spreadsheet reads as "this is text".
func plainText(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}
