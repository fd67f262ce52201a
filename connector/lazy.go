package connector

import "context"

// Lazy is a value that is fetched when it is first needed, by one caller at a time, and kept once that
// succeeded; a failure is not kept. Waiting honours the context. Make it with NewLazy.
type Lazy[T any] struct {
	turn  chan struct{}
	value T
	have  bool
}

// NewLazy makes an empty Lazy.
func NewLazy[T any]() *Lazy[T] { return &Lazy[T]{turn: make(chan struct{}, 1)} }

// Get returns the value, fetching it if there is none.
func (l *Lazy[T]) Get(ctx context.Context, fetch func(context.Context) (T, error)) (T, error) {
	select {
	case l.turn <- struct{}{}:
	case <-ctx.Done():
		var zero T
		return zero, ctx.Err()
	}
	defer func() { <-l.turn }()
	if l.have {
		return l.value, nil
	}
	v, err := fetch(ctx)
	if err == nil {
		l.value, l.have = v, true
	}
	return v, err
}

// Forget drops the value, so that the next Get fetches it anew.
func (l *Lazy[T]) Forget() {
	l.turn <- struct{}{}
	l.have = false
	<-l.turn
}
