package llm

import (
	"context"

	"github.com/assay-eval/assay"
)

// As finds the first value of type T in a model and the models it decorates: how a caller reaches a
// client's optional powers through its decorators. Every decorator here has an Unwrap method.
func As[T any](model any) (T, bool) {
	for model != nil {
		if t, ok := model.(T); ok {
			return t, true
		}
		u, ok := model.(interface{ Unwrap() any })
		if !ok {
			break
		}
		model = u.Unwrap()
	}
	var zero T
	return zero, false
}

// Identify asks the client inside a model what it talks to. A client that cannot say has the zero
// Identity and no error.
func Identify(ctx context.Context, model any) (assay.Identity, error) {
	if i, ok := As[assay.Identifier](model); ok {
		return i.Identify(ctx)
	}
	return assay.Identity{}, nil
}
