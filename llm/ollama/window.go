package ollama

import "sync"

// smallestWindow is the first step of a context window that is sized by the prompt: Ollama's own default
// on small machines, so that most calls need no reload.
const smallestWindow = 4096

// window picks a context size. The server loads the model anew whenever the size changes, so it goes up
// in doublings and never down again. The zero value is ready.
type window struct {
	mu   sync.Mutex
	size int
}

// fit is a size that holds need tokens, as far as limit allows; a limit of 0 is none.
func (w *window) fit(need, limit int) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	size := max(smallestWindow, w.size)
	for size < need {
		size *= 2
	}
	if limit > 0 {
		size = min(size, limit)
	}
	w.size = max(w.size, size)
	return size
}

// grown reports whether a size was ever picked: from then on it is sent with every call.
func (w *window) grown() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.size > 0
}
