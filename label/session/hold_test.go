package session_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/label/session"
)

// aside is how long a rater has to be silent before somebody else gets what is in front of them.
const aside = session.DefaultIdle + time.Second

func progress(t *testing.T, s *session.Session, who string) session.Progress {
	t.Helper()
	p, err := s.Progress(who)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func alive(t *testing.T, s *session.Session, who string) bool {
	t.Helper()
	held, err := s.Alive(who)
	if err != nil {
		t.Fatal(err)
	}
	return held
}

func judge(s *session.Session, who string, task session.Task, g assay.Grade) error {
	return s.Answer(who, session.Answer{Item: task.Item, Seq: task.Seq, Event: assay.EventGrade, Grade: g})
}

// Whoever closes the page keeps nothing from the others for longer than the idle time.
func TestWhatAVisitorLeftIsHandedOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		items := pool(1, 1)
		s := open(t, items, store(t, items), session.Options{})
		left := next(t, s, "ann")
		for _, wait := range []time.Duration{0, session.DefaultIdle} {
			time.Sleep(wait)
			if _, ok, err := s.Next("ben"); ok || err != nil {
				t.Fatalf("ben is given what ann had %v ago: %v", wait, err)
			}
			if p := progress(t, s, "ben"); p.Left != 1 || p.Elsewhere != 1 {
				t.Errorf("ben's progress %+v, want one left, in front of somebody else", p)
			}
		}
		time.Sleep(time.Second)
		if got := next(t, s, "ben"); got.Item != left.Item {
			t.Errorf("ben got %q", got.Text)
		}
		if p := progress(t, s, "ben"); p.Elsewhere != 0 {
			t.Errorf("ben's progress %+v: what ben holds is nowhere else", p)
		}
		if p := progress(t, s, "cleo"); p.Elsewhere != 1 {
			t.Errorf("cleo's progress %+v: it is in front of ben, once", p)
		}
	})
}

// A rater who reads for long, and whose page says so, keeps the passage.
func TestAReaderKeepsThePassage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		items := pool(1, 1)
		s := open(t, items, store(t, items), session.Options{Idle: time.Minute})
		next(t, s, "ann")
		for range 30 {
			time.Sleep(time.Minute)
			if !alive(t, s, "ann") {
				t.Fatal("ann was told that it went to somebody else")
			}
			if _, ok, _ := s.Next("ben"); ok {
				t.Fatal("ben is given what ann is reading")
			}
		}
	})
}

// Who comes back in time for nobody to have taken it holds it again.
func TestAReturningRaterHoldsAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		items := pool(1, 1)
		s := open(t, items, store(t, items), session.Options{})
		next(t, s, "ann")
		time.Sleep(aside)
		if !alive(t, s, "ann") {
			t.Error("nobody took it, and yet it is gone")
		}
		if _, ok, _ := s.Next("ben"); ok {
			t.Error("both have it")
		}
	})
}

// The answer of somebody who was away counts as theirs, whether or not the other has answered meanwhile; so does the other's.
func TestALateAnswerIsTaken(t *testing.T) {
	for _, first := range []string{"ann", "ben"} {
		t.Run(first+" first", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				items := pool(1, 1)
				set := store(t, items)
				s := open(t, items, set, session.Options{})
				tasks := map[string]session.Task{"ann": next(t, s, "ann")}
				time.Sleep(aside)
				tasks["ben"] = next(t, s, "ben")
				if alive(t, s, "ann") {
					t.Error("ann is not told that it went to ben")
				}
				if !alive(t, s, "ben") {
					t.Error("ben lost it by ann's coming back")
				}
				second := map[string]string{"ann": "ben", "ben": "ann"}[first]
				if err := judge(s, first, tasks[first], 3); err != nil {
					t.Errorf("%s: %v", first, err)
				}
				if alive(t, s, second) {
					t.Errorf("%s is not told that enough people judged it", second)
				}
				if err := judge(s, second, tasks[second], 1); err != nil {
					t.Errorf("%s: %v", second, err)
				}
				got := map[string]assay.Grade{}
				for _, l := range set.Events("q0") {
					got[l.Who] = l.Grade
				}
				if got[first] != 3 || got[second] != 1 {
					t.Errorf("stored %v", got)
				}
				if p := progress(t, s, "ann"); p.Disputed != 1 || p.Left != 0 {
					t.Errorf("progress %+v: they differ", p)
				}
			})
		})
	}
}

// Who was away and asks for what to judge is given something else, or nothing, but not what another is judging.
func TestAReturningRaterIsMovedOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		items := pool(1, 2)
		s := open(t, items, store(t, items), session.Options{})
		left := next(t, s, "ann")
		time.Sleep(aside)
		if got := next(t, s, "ben"); got.Item != left.Item {
			t.Fatalf("ben got %q, want what ann left", got.Text)
		}
		if got := next(t, s, "ann"); got.Item == left.Item {
			t.Error("both are judging one passage")
		}
		if err := judge(s, "ann", left, 2); !errors.Is(err, session.ErrMoved) {
			t.Errorf("an answer to what ann has put away: %v", err)
		}
	})
}

// What was taken back is in front of its rater again, and of nobody else.
func TestWhatWasTakenBackIsHeld(t *testing.T) {
	items := pool(1, 1)
	s := open(t, items, store(t, items), session.Options{})
	task := grade(t, s, "ann", 3)
	if ok, err := s.Undo("ann", task.Seq+1); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if _, ok, _ := s.Next("ben"); ok {
		t.Error("ben is given what ann is judging anew")
	}
}

// A disagreement is settled once: who was away while another settled it is moved on.
func TestALateSettlementIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		items := pool(1, 1)
		set := store(t, items)
		o := session.Options{Second: 1}
		s := open(t, items, set, o)
		grade(t, s, "ann", 3)
		grade(t, s, "ben", 0)
		o.Adjudicate = true
		s = open(t, items, set, o)
		late := next(t, s, "cleo")
		time.Sleep(aside)
		if err := judge(s, "dan", next(t, s, "dan"), 2); err != nil {
			t.Fatal(err)
		}
		if err := judge(s, "cleo", late, 0); !errors.Is(err, session.ErrMoved) {
			t.Errorf("cleo settles what is settled: %v", err)
		}
		if _, ok, _ := s.Next("cleo"); ok {
			t.Error("cleo is given what is settled")
		}
		if l := set.Labels("q0")[0]; l.Grade != 2 {
			t.Errorf("%+v counts, want dan's 2", l)
		}
	})
}

// However many people judge at once, nobody who is there is given what another has, and in the end everything is judged once.
func TestManyRatersAtOnce(t *testing.T) {
	items := pool(10, 20)
	set := store(t, items)
	s := open(t, items, set, session.Options{})
	var mu sync.Mutex
	at := map[string]string{} // item to rater
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			who := fmt.Sprint("rater ", i)
			for {
				task, ok, err := s.Next(who)
				if err != nil {
					t.Error(err)
				}
				if !ok {
					return
				}
				mu.Lock()
				if other, there := at[task.Item]; there {
					t.Errorf("%s and %s have the same passage", who, other)
				}
				at[task.Item] = who
				mu.Unlock()
				if err := judge(s, who, task, 1); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if p := progress(t, s, "rater 0"); p.Done != 200 || p.Elsewhere != 0 {
		t.Errorf("progress %+v", p)
	}
}

func TestIdleIsATime(t *testing.T) {
	if err := (&session.Options{Idle: -1}).Check(); !errors.Is(err, assay.ErrUsage) {
		t.Errorf("a negative idle time: %v", err)
	}
}

// The clock that is given is the one that events are dated by.
func TestClock(t *testing.T) {
	items := pool(1, 1)
	set := store(t, items)
	at := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	grade(t, open(t, items, set, session.Options{Now: func() time.Time { return at }}), "ann", 1)
	if got := set.Events("q0")[0].Time; !got.Equal(at) {
		t.Errorf("dated %v", got)
	}
}
