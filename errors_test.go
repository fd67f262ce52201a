package assay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"
)

func TestErrorText(t *testing.T) {
	for want, e := range map[string]*Error{
		"search localhost:6333: no such collection": {Op: "search", Where: "localhost:6333", Kind: KindNotFound, Err: errors.New("no such collection")},
		"search: gone":       {Op: "search", Err: errors.New("gone")},
		"queries.jsonl:7: x": {Where: "queries.jsonl:7", Err: errors.New("x")},
		"bare":               {Err: errors.New("bare")},
		"embed: timeout":     {Op: "embed", Kind: KindTimeout},
		"timeout":            {Kind: KindTimeout},
	} {
		if e.Error() != want {
			t.Errorf("got %q, want %q", e.Error(), want)
		}
	}
}

func TestKindOf(t *testing.T) {
	inner := Errorf(KindTimeout, "search", "host", "late: %w", context.Canceled)
	for _, c := range []struct {
		err  error
		want Kind
	}{
		{nil, ""}, {errors.New("x"), KindInternal}, {inner, KindTimeout}, {fmt.Errorf("query q-1: %w", inner), KindTimeout}, {WithHint(inner, "wait"), KindTimeout},
		{Classify(inner, ErrIncomplete), KindTimeout}, {context.DeadlineExceeded, KindTimeout}, {fmt.Errorf("x: %w", context.Canceled), KindCanceled},
		{errors.Join(errors.New("a"), inner), KindTimeout}, {&Error{Kind: KindRefused, Err: inner}, KindRefused},
	} {
		if got := KindOf(c.err); got != c.want {
			t.Errorf("%v: got %q, want %q", c.err, got, c.want)
		}
	}
	if !errors.Is(inner, context.Canceled) {
		t.Error("the cause is lost")
	}
}

func TestRetryable(t *testing.T) {
	retryable := map[Kind]bool{KindTimeout: true, KindUnavailable: true, KindRateLimited: true}
	for _, k := range []Kind{KindTimeout, KindUnavailable, KindRateLimited, KindRefused, KindNotFound, KindInvalid, KindTruncated, KindMalformed, KindEmpty, KindCanceled, KindInternal, ""} {
		if k.Retryable() != retryable[k] {
			t.Errorf("%s: %v", k, k.Retryable())
		}
	}
}

func TestClassifyAndHint(t *testing.T) {
	err := WithHint(Classify(fmt.Errorf("file: %w", io.EOF), ErrUsage), "run %s", "assay init")
	if err.Error() != "file: EOF" {
		t.Errorf("message %q", err)
	}
	for _, target := range []error{ErrUsage, io.EOF} {
		if !errors.Is(err, target) {
			t.Errorf("is not %v", target)
		}
	}
	if errors.Is(err, ErrStale) {
		t.Error("is of another class, too")
	}
	if Hint(err) != "run assay init" || Hint(fmt.Errorf("more: %w", err)) != "run assay init" || Hint(io.EOF) != "" || Hint(nil) != "" {
		t.Errorf("hint %q", Hint(err))
	}
	if Hint(WithHint(err, "outer")) != "outer" {
		t.Error("the inner hint wins")
	}
	if Classify(nil, ErrUsage) != nil || WithHint(nil, "x") != nil {
		t.Error("nil became an error")
	}
	if u := Usagef("bad %d", 7); u.Error() != "bad 7" || !errors.Is(u, ErrUsage) {
		t.Errorf("%v", u)
	}
}
