package project

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/generate"
	"github.com/assay-eval/assay/llm"
)

// budget lets so many calls through to the server and refuses further ones; 0 is no limit. Replies from the
// cache cost nothing, tries after a failure do.
func budget(calls int) llm.Around {
	var used atomic.Int64
	return func(ctx context.Context, do func(context.Context) error) error {
		if calls > 0 && used.Add(1) > int64(calls) {
			return generate.ErrCalls
		}
		return do(ctx)
	}
}

// meter counts what a chat model was asked and how long it took, leaving out what came from the cache. It is
// the measured part of an estimate.
type meter struct {
	inner                        assay.Chat
	calls, prompt, output, nanos atomic.Int64
}

// Chat implements assay.Chat. A reply that was cut off or malformed took its time, too; its tokens are not
// known.
func (m *meter) Chat(ctx context.Context, req assay.ChatRequest) (assay.ChatReply, error) {
	start := time.Now()
	reply, err := m.inner.Chat(ctx, req)
	if !reply.Cached {
		m.calls.Add(1)
		m.nanos.Add(int64(time.Since(start)))
		m.prompt.Add(int64(reply.PromptTokens))
		m.output.Add(int64(reply.OutputTokens))
	}
	return reply, err
}
