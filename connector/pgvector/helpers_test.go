package pgvector

import (
	"context"
	"time"
)

// contextWithout outlives the test whose context it is made of.
func contextWithout(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
}
