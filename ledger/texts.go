package ledger

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"sync"

	"github.com/assay-eval/assay/internal/jsonl"
)

// Texts gives the passages of a run by hash. They are read when the first one is asked for.
func (r *Run) Texts() *Texts { return &Texts{run: r} }

// Texts is the passages of a run: the first textsHeld bytes of them in memory, of the others where they stand in the file, so
// that a run of very many queries is not held whole.
type Texts struct {
	run    *Run
	once   sync.Once
	held   map[string]Passage
	placed map[passageKey]place

	mu  sync.Mutex // guards err
	err error
}

// textsHeld bounds the bytes of text in memory: those of about 40,000 passages.
const textsHeld = 64 << 20

// passageKey is half of a hash of a passage's hash: a short key for what may be millions.
type passageKey [16]byte

func keyOf(hash string) (k passageKey) {
	sum := sha256.Sum256([]byte(hash))
	copy(k[:], sum[:])
	return k
}

// place is a line of the file.
type place struct {
	offset int64
	size   int32
	line   int32
}

// Text is the text of a hash, and whether the run has it.
func (t *Texts) Text(hash string) (string, bool) {
	p, ok := t.Passage(hash)
	return p.Text, ok
}

// Passage is the passage of a hash, and whether the run has it.
func (t *Texts) Passage(hash string) (Passage, bool) {
	t.once.Do(func() { t.read(textsHeld) })
	if p, ok := t.held[hash]; ok || len(t.placed) == 0 {
		return p, ok
	}
	at, ok := t.placed[keyOf(hash)]
	if !ok {
		return Passage{}, false
	}
	p, err := t.load(at)
	if err != nil {
		t.fail(err)
	}
	return p, err == nil && p.Hash == hash
}

// read goes through the file and holds so many bytes of text.
func (t *Texts) read(room int) {
	t.held = map[string]Passage{}
	for rec, err := range jsonl.Read[Passage](t.run.path(passagesFile)) {
		if err != nil {
			t.fail(err)
			continue
		}
		p := &rec.Value
		if room -= len(p.Text); room >= 0 || t.held[p.Hash].Hash != "" {
			t.held[p.Hash] = *p
			continue
		}
		if t.placed == nil {
			t.placed = map[passageKey]place{}
		}
		t.placed[keyOf(p.Hash)] = place{rec.Line.Offset, int32(len(rec.Line.Bytes)), int32(rec.Line.Number)}
	}
}

// load reads one line again.
func (t *Texts) load(at place) (p Passage, err error) {
	f, err := os.Open(t.run.path(passagesFile))
	if err != nil {
		return p, err
	}
	defer f.Close()
	line := jsonl.Line{File: f.Name(), Number: int(at.line), Offset: at.offset, Bytes: make([]byte, at.size)}
	if _, err := f.ReadAt(line.Bytes, at.offset); err != nil {
		return p, fmt.Errorf("read %s: %w", line.Where(), err)
	}
	if err := json.Unmarshal(line.Bytes, &p); err != nil {
		return p, line.Malformed(err)
	}
	return p, nil
}

func (t *Texts) fail(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err == nil {
		t.err = err
	}
}

// Err is what went wrong in reading them.
func (t *Texts) Err() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.err
}
