package session_test

import (
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/label/session"
)

// One answer and the next item, with 50,000 items in the pool and half of them judged.
func BenchmarkAnswer(b *testing.B) {
	items := pool(1000, 50)
	set, err := newStore(items)
	if err != nil {
		b.Fatal(err)
	}
	s, err := session.New(items, set, session.Options{Second: 0.2, Repeats: 0.05, Gold: 0.05})
	if err != nil {
		b.Fatal(err)
	}
	answer := func() {
		task, ok, err := s.Next("ann")
		if err != nil || !ok {
			b.Fatal("nothing left", err)
		}
		if err := s.Answer("ann", session.Answer{Item: task.Item, Seq: task.Seq, Event: assay.EventGrade, Grade: 2}); err != nil {
			b.Fatal(err)
		}
	}
	for range 25_000 {
		answer()
	}
	for b.Loop() {
		answer()
		if _, err := s.Progress("ann"); err != nil {
			b.Fatal(err)
		}
	}
}
