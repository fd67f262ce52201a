package session_test

import (
	"errors"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/label/session"
)

// full is a disk without room, until it has some again.
type full struct {
	session.Store
	err error
}

func (f *full) AddLabels(labels ...assay.Label) error {
	if f.err != nil {
		return f.err
	}
	return f.Store.AddLabels(labels...)
}

// An answer that could not be stored is not taken for one: the same passage stays, and the same answer is taken later.
func TestAnswerThatCannotBeStored(t *testing.T) {
	items := pool(1, 2)
	disk := &full{Store: store(t, items), err: errors.New("no space left on device")}
	s := open(t, items, disk, session.Options{})
	before := next(t, s, "ann")
	a := session.Answer{Item: before.Item, Seq: before.Seq, Event: assay.EventGrade, Grade: 2}
	if err := s.Answer("ann", a); !errors.Is(err, disk.err) {
		t.Fatalf("%v", err)
	}
	if after := next(t, s, "ann"); after.Item != before.Item || after.Seq != before.Seq || len(disk.Events("q0")) != 0 {
		t.Errorf("%+v came after an answer that was lost: %+v", after, before)
	}
	disk.err = nil
	if err := s.Answer("ann", a); err != nil || len(disk.Events("q0")) != 1 {
		t.Errorf("%v, %d events", err, len(disk.Events("q0")))
	}
	if after := next(t, s, "ann"); after.Item == before.Item {
		t.Error("a stored answer is asked for again")
	}
}
