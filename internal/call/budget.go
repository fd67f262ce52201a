package call

import "sync"

// A Budget keeps retries from multiplying the load on a server that is down, and the time that a run
// against it takes: once the retries of all callers together have used it up, calls fail at their first
// attempt until successes have filled it again. A nil Budget is unlimited.
type Budget struct {
	mu     sync.Mutex
	tokens float64
	size   float64
}

// refund is what one success gives back, in retries: a server that fails one call in five is still
// served with retries for ever.
const refund = 0.25

// NewBudget makes a full budget of that many retries.
func NewBudget(retries int) *Budget {
	return &Budget{tokens: float64(retries), size: float64(retries)}
}

// take spends one retry, or reports that none is left.
func (b *Budget) take() bool {
	if b == nil {
		return true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.tokens < 1 {
		return false
	}
	b.tokens--
	return true
}

func (b *Budget) success() {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tokens = min(b.size, b.tokens+refund)
}
