// Package scifact reads the SciFact collection in BEIR layout, with the MiniLM vectors beside it: the yardstick that
// tests and benchmarks hold the retrievers in process to. No other part of assay uses it.
package scifact

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
)

// Dimension is that of the vectors.
const Dimension = 384

// Collection is the corpus and the test split.
type Collection struct {
	Chunks  []assay.Chunk // one per abstract, in file order: title and text
	Queries []assay.Query
	Qrels   map[string]map[string]int // query id, document id, grade

	ChunkVectors []float32 // Dimension values per chunk
	QueryVectors []float32 // Dimension values per query
}

// Load reads the collection from its folder.
func Load(dir string) (*Collection, error) {
	c := &Collection{}
	readTest := func(dir string) (err error) {
		c.Queries, c.Qrels, err = Split(dir, "test")
		return err
	}
	for _, read := range []func(string) error{c.readCorpus, readTest, c.readVectors} {
		if err := read(dir); err != nil {
			return nil, fmt.Errorf("scifact: %w", err)
		}
	}
	return c, nil
}

// QueryVector is the vector of query i.
func (c *Collection) QueryVector(i int) []float32 {
	return c.QueryVectors[i*Dimension : (i+1)*Dimension : (i+1)*Dimension]
}

func (c *Collection) readCorpus(dir string) error {
	return eachLine(filepath.Join(dir, "corpus.jsonl.gz"), func(line []byte) error {
		var d struct {
			ID    string `json:"_id"`
			Title string `json:"title"`
			Text  string `json:"text"`
		}
		err := json.Unmarshal(line, &d)
		c.Chunks = append(c.Chunks, assay.Chunk{ID: d.ID, Document: d.ID, Title: d.Title, Text: d.Text})
		return err
	})
}

// Split reads the queries and qrels of a split: test, which Load reads as well, or train.
func Split(dir, split string) (queries []assay.Query, qrels map[string]map[string]int, err error) {
	err = eachLine(filepath.Join(dir, "queries-"+split+".jsonl"), func(line []byte) error {
		var q struct {
			ID   string `json:"_id"`
			Text string `json:"text"`
		}
		err := json.Unmarshal(line, &q)
		queries = append(queries, assay.Query{ID: q.ID, Text: q.Text})
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	qrels = map[string]map[string]int{}
	header := true
	err = eachLine(filepath.Join(dir, "qrels-"+split+".tsv"), func(line []byte) error {
		if header {
			header = false
			return nil
		}
		f := strings.Split(string(line), "\t")
		if len(f) != 3 {
			return fmt.Errorf("qrels: %q is not three columns", line)
		}
		grade, err := strconv.Atoi(f[2])
		if qrels[f[0]] == nil {
			qrels[f[0]] = map[string]int{}
		}
		qrels[f[0]][f[1]] = grade
		return err
	})
	return queries, qrels, err
}

func (c *Collection) readVectors(dir string) (err error) {
	if c.ChunkVectors, err = readFloats(filepath.Join(dir, "minilm.corpus.f32"), len(c.Chunks)); err != nil {
		return err
	}
	c.QueryVectors, err = readFloats(filepath.Join(dir, "minilm.queries-test.f32"), len(c.Queries))
	return err
}

func readFloats(path string, rows int) ([]float32, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if len(data) != 4*rows*Dimension {
		return nil, fmt.Errorf("%s has %d bytes, want %d rows of %d floats", path, len(data), rows, Dimension)
	}
	out := make([]float32, rows*Dimension)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return out, nil
}

func eachLine(path string, do func([]byte) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	s := bufio.NewScanner(r)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		if err := do(s.Bytes()); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return s.Err()
}
