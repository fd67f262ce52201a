package testset

import (
	"io"
	"maps"
	"slices"
)

// lineCounter remembers where lines end, so that a decoder's byte offset becomes a line number.
type lineCounter struct {
	r      io.Reader
	offset int64
	feeds  []int64 // offset of every line feed read so far
	solid  []int64 // offset of the last byte before it that is not white space
	last   int64
}

func (c *lineCounter) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	for i, x := range b[:n] {
		switch x {
		case '\n':
			c.feeds = append(c.feeds, c.offset+int64(i))
			c.solid = append(c.solid, c.last)
		case ' ', '\t', '\r':
		default:
			c.last = c.offset + int64(i)
		}
	}
	c.offset += int64(n)
	return n, err
}

// line is the number, from 1, of the first line with something at or after offset that is not white space.
func (c *lineCounter) line(offset int64) int {
	i, _ := slices.BinarySearch(c.feeds, offset)
	for i < len(c.feeds) && c.solid[i] < offset {
		i++
	}
	return i + 1
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
