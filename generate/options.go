package generate

import (
	"errors"
	"time"

	"github.com/assay-eval/assay"
)

// Accepted is a query that passed every rule, with the chunk it was written from.
type Accepted struct {
	Query assay.Query
	Chunk assay.Chunk
}

// Options says what to generate.
type Options struct {
	Writer   Writer
	Rules    []Rule
	SetRules []SetRule
	Plan     func(chunk *assay.Chunk, nth int) Plan // what each query is to be; nil leaves all of it open
	Chunks   []assay.Chunk                          // the sample, in the order to be used
	Want     int                                    // queries wanted in all
	PerChunk int                                    // questions asked for from one chunk; 0 means 1
	Workers  int                                    // calls under way at once; 0 means 1
	// Done reports whether earlier calls have accepted or refused the nth question of a chunk; it is not
	// asked again. One whose call failed is not done, whatever came after it. nil means none.
	Done func(chunk string, nth int) bool
	// Have is the number of queries that count already.
	Have int
	// Existing are the queries of the test set, for the rules that look at all of it.
	Existing []assay.Query
	// Taken reports whether a query is in the test set already; nil means never.
	Taken func(*assay.Query) bool

	Keep     func(Accepted) error // in the order of the sample, one at a time
	Reject   func(Reject) error   // likewise
	Progress func(Report)         // after each item; nil for nobody
	Now      func() time.Time     // nil is time.Now
}

// ErrCalls and ErrMinutes end a generation whose budget is used up: cleanly, as if it had been killed
// between two questions. A Writer or a Rule returns the first when it may not call its model any more; the
// second is the cause of a context that has run out.
var (
	ErrCalls   = errors.New("the budget of calls is used up")
	ErrMinutes = errors.New("the budget of minutes is used up")
)
