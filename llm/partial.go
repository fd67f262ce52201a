package llm

import (
	"fmt"

	"github.com/assay-eval/assay"
)

// TextError is why one text of a request has no result.
type TextError struct {
	Index int // in the request's texts
	Err   error
}

// PartialError is the failure of some texts of an Embed call, each found by itself. Its kind is that of
// the first failed text. A caller that can go on without them takes Reply.
type PartialError struct {
	Reply  assay.EmbedReply // Vectors[i] is nil where text i failed
	Failed []TextError      // by ascending index, at least one
}

func (e *PartialError) Error() string {
	first := e.Failed[0]
	if len(e.Failed) == 1 {
		return fmt.Sprintf("text %d of %d: %v", first.Index+1, len(e.Reply.Vectors), first.Err)
	}
	return fmt.Sprintf("%d of %d texts failed, first text %d: %v", len(e.Failed), len(e.Reply.Vectors), first.Index+1, first.Err)
}

// Unwrap is the error of the first failed text.
func (e *PartialError) Unwrap() error { return e.Failed[0].Err }

// Partial makes what Embed returns out of what became of the texts: the reply and no error when none
// failed, the plain error when there was only one text, a PartialError otherwise.
func Partial(reply assay.EmbedReply, failed []TextError) (assay.EmbedReply, error) {
	switch {
	case len(failed) == 0:
		return reply, nil
	case len(reply.Vectors) == 1:
		return assay.EmbedReply{}, failed[0].Err
	}
	return assay.EmbedReply{}, &PartialError{Reply: reply, Failed: failed}
}

// TextAtFault reports whether an error may be about one text of a batch rather than about the server or
// the request: too long, or something that the server chokes on. It is what clients halve a batch for.
func TextAtFault(err error) bool {
	switch assay.KindOf(err) {
	case assay.KindTruncated, assay.KindInvalid, assay.KindMalformed, assay.KindInternal:
		return true
	}
	return false
}
