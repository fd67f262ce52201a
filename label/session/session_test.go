package session_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/label"
	"github.com/assay-eval/assay/label/session"
	"github.com/assay-eval/assay/testset"
)

// item is the question whether a chunk answers a query.
func item(id, query string, c assay.Chunk) session.Item {
	return session.Item{Item: label.Item{ID: label.ItemID(id, c.Text), Query: id, Passage: label.Passage{Target: testset.TargetOf(c), Text: c.Text}}, Text: query}
}

// pool makes queries × passages items, each passage a chunk of its own document.
func pool(queries, passages int) []session.Item {
	var out []session.Item
	for q := range queries {
		for p := range passages {
			text := fmt.Sprintf("passage %d of question %d", p, q)
			c := assay.Chunk{ID: fmt.Sprintf("c%d-%d", q, p), Document: fmt.Sprintf("d%d-%d", q, p), Version: assay.HashText(text),
				Span: &assay.Span{End: len(text)}, Text: text}
			out = append(out, item(fmt.Sprintf("q%d", q), fmt.Sprintf("question %d?", q), c))
		}
	}
	return out
}

func newStore(items []session.Item) (*testset.Set, error) {
	var queries []assay.Query
	for _, it := range items {
		queries = append(queries, assay.Query{ID: it.Query, Text: it.Text})
	}
	return testset.New(queries, nil)
}

func store(t *testing.T, items []session.Item) *testset.Set {
	t.Helper()
	set, err := newStore(items)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func open(t *testing.T, items []session.Item, s session.Store, o session.Options) *session.Session {
	t.Helper()
	out, err := session.New(items, s, o)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// next is the task in front of a rater; it must exist.
func next(t *testing.T, s *session.Session, who string) session.Task {
	t.Helper()
	task, ok, err := s.Next(who)
	if err != nil || !ok {
		t.Fatalf("%s got nothing to judge: %v", who, err)
	}
	return task
}

func grade(t *testing.T, s *session.Session, who string, g assay.Grade) session.Task {
	t.Helper()
	task := next(t, s, who)
	if err := s.Answer(who, session.Answer{Item: task.Item, Seq: task.Seq, Event: assay.EventGrade, Grade: g}); err != nil {
		t.Fatal(err)
	}
	return task
}

// all grades whatever a rater is given until nothing is left, and returns the texts in the order they came.
func all(t *testing.T, s *session.Session, who string, g func(session.Task) assay.Grade) []string {
	t.Helper()
	var texts []string
	for {
		task, ok, err := s.Next(who)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			return texts
		}
		if len(texts) > 10_000 {
			t.Fatal("it never ends")
		}
		grade(t, s, who, g(task))
		texts = append(texts, task.Text)
	}
}

func always(g assay.Grade) func(session.Task) assay.Grade {
	return func(session.Task) assay.Grade { return g }
}

func TestEveryItemIsJudgedOnce(t *testing.T) {
	items := pool(7, 5)
	s := open(t, items, store(t, items), session.Options{Seed: 3})
	texts := all(t, s, "ann", always(1))
	seen := map[string]bool{}
	queries := 0
	for i, text := range texts {
		seen[text] = true
		if i == 0 || strings.SplitN(text, " of ", 2)[1] != strings.SplitN(texts[i-1], " of ", 2)[1] {
			queries++
		}
	}
	if len(texts) != 35 || len(seen) != 35 {
		t.Errorf("%d answers on %d passages, want 35 on 35", len(texts), len(seen))
	}
	if queries != 7 {
		t.Errorf("the query changed %d times, want 7: a query is read once", queries)
	}
	if _, ok, _ := s.Next("ben"); ok {
		t.Error("ben is given something that ann has judged, without a second opinion wanted")
	}
}

func TestOrderFollowsFromTheSeedAlone(t *testing.T) {
	order := func(seed uint64) string {
		items := pool(6, 4)
		return strings.Join(all(t, open(t, items, store(t, items), session.Options{Seed: seed}), "ann", always(0)), "|")
	}
	if order(1) != order(1) {
		t.Error("two orders from one seed")
	}
	if order(1) == order(2) {
		t.Error("one order from two seeds")
	}
}

func TestTurnsComeFirst(t *testing.T) {
	items := pool(5, 2)
	for i := range items {
		items[i].Turn = 1
	}
	items[7].Turn = 0
	s := open(t, items, store(t, items), session.Options{})
	if got := next(t, s, "ann").Text; got != items[7].Passage.Text {
		t.Errorf("first is %q, want the one whose turn it is", got)
	}
}

// What is left follows from the label file: a session that ends at any moment goes on where it was.
func TestResume(t *testing.T) {
	items := pool(4, 5)
	set := store(t, items)
	o := session.Options{Seed: 9, Second: 0.3, Repeats: 0.2}
	whole := all(t, open(t, items, store(t, items), o), "ann", always(2))
	var pieces []string
	for range whole {
		pieces = append(pieces, grade(t, open(t, items, set, o), "ann", 2).Text)
	}
	if strings.Join(whole, "|") != strings.Join(pieces, "|") {
		t.Errorf("in one go:\n%q\nstarted anew after each answer:\n%q", whole, pieces)
	}
}

func TestTwoPeopleNeverHoldOneItem(t *testing.T) {
	items := pool(3, 3)
	s := open(t, items, store(t, items), session.Options{})
	a, b := next(t, s, "ann"), next(t, s, "ben")
	if a.Item == b.Item {
		t.Error("both were given the same item")
	}
	if again := next(t, s, "ann"); again.Item != a.Item {
		t.Error("asking twice gave another item")
	}
}

func TestSecondOpinions(t *testing.T) {
	items := pool(20, 10)
	s := open(t, items, store(t, items), session.Options{Second: 0.2, Seed: 1})
	first := all(t, s, "ann", always(3))
	second := all(t, s, "ben", always(1))
	if len(first) != 200 || len(second) < 25 || len(second) > 55 {
		t.Errorf("ann judged %d, ben %d; want all 200 and about 40", len(first), len(second))
	}
	p, err := s.Progress("ann")
	if err != nil {
		t.Fatal(err)
	}
	if p.Done != 200 || p.Disputed != len(second) || p.Left != 0 {
		t.Errorf("progress %+v", p)
	}
}

func TestJudgeAndPersonApartWantASecondPerson(t *testing.T) {
	items := pool(2, 3)
	set := store(t, items)
	for i, g := range []assay.Grade{3, 0, 0, 2, 1, 0} {
		l := assay.Label{Query: items[i].Query, Target: items[i].Passage.Target, Event: assay.EventGrade, Grade: g, By: assay.ByJudge, Who: "m"}
		if err := set.AddLabels(l); err != nil {
			t.Fatal(err)
		}
	}
	s := open(t, items, set, session.Options{})
	all(t, s, "ann", always(0))
	if got := all(t, s, "ben", always(0)); len(got) != 2 {
		t.Errorf("ben was given %q, want the two that the judge calls relevant and ann does not", got)
	}
}

func TestRepeatsAreAskedLaterAndCompared(t *testing.T) {
	items := pool(10, 10)
	set := store(t, items)
	s := open(t, items, set, session.Options{Repeats: 0.1, Seed: 5})
	texts := all(t, s, "ann", always(2))
	at := map[string]int{}
	repeats := 0
	for i, text := range texts {
		if before, ok := at[text]; ok {
			repeats++
			if i-before <= 10 {
				t.Errorf("%q is asked again after %d answers", text, i-before)
			}
		}
		at[text] = i
	}
	if repeats < 8 || repeats > 12 {
		t.Errorf("%d repeats among %d, want about a tenth", repeats, len(texts))
	}
	a := s.Agreement()
	if len(a) != 1 || a[0].With != session.Themselves || a[0].Items != repeats || a[0].Same != repeats {
		t.Errorf("agreement %+v, want %d of %d with themselves", a, repeats, repeats)
	}
	marked := 0
	for _, it := range items {
		for _, l := range set.Events(it.Query) {
			if l.Repeat && l.Target.Chunk == it.Passage.Target.Chunk {
				marked++
			}
		}
	}
	if marked != repeats {
		t.Errorf("%d events are marked as repeats, want %d", marked, repeats)
	}
}

func TestGoldIsMixedIn(t *testing.T) {
	items := pool(10, 10)
	set := store(t, items)
	for _, it := range items[:20] {
		l := assay.Label{Query: it.Query, Target: it.Passage.Target, Event: assay.EventGrade, Grade: 3, By: assay.ByHuman, Who: assay.Adjudicated}
		if err := set.AddLabels(l); err != nil {
			t.Fatal(err)
		}
	}
	s := open(t, items, set, session.Options{Gold: 0.1})
	texts := all(t, s, "ann", always(3))
	if len(texts) < 86 || len(texts) > 90 {
		t.Errorf("%d answers, want the 80 open ones and about a tenth", len(texts))
	}
	a := s.Agreement()
	if len(a) != 1 || a[0].With != session.Known || a[0].Same != len(texts)-80 {
		t.Errorf("agreement %+v, want all %d gold items the same", a, len(texts)-80)
	}
}

func TestBadQueryEndsTheQuery(t *testing.T) {
	items := pool(3, 4)
	s := open(t, items, store(t, items), session.Options{})
	task := next(t, s, "ann")
	if err := s.Answer("ann", session.Answer{Item: task.Item, Seq: task.Seq, Event: assay.EventBadQuery}); err != nil {
		t.Fatal(err)
	}
	if rest := all(t, s, "ann", always(0)); len(rest) != 8 {
		t.Errorf("%d items follow, want those of the two other queries", len(rest))
	}
}

func TestUndo(t *testing.T) {
	items := pool(2, 3)
	set := store(t, items)
	s := open(t, items, set, session.Options{})
	var order []session.Task
	for range 6 {
		order = append(order, grade(t, s, "ann", 3))
	}
	// All the way back, after a restart too.
	for i := 5; i >= 0; i-- {
		if i == 2 {
			s = open(t, items, set, session.Options{})
		}
		task, _, _ := s.Next("ann")
		if ok, err := s.Undo("ann", task.Seq); !ok || err != nil {
			t.Fatalf("undo %d: %v %v", i, ok, err)
		}
		if got := next(t, s, "ann"); got.Item != order[i].Item {
			t.Errorf("undo %d brought %q back, want %q", i, got.Text, order[i].Text)
		}
	}
	if ok, err := s.Undo("ann", next(t, s, "ann").Seq); ok || err != nil {
		t.Errorf("undo of nothing: %v %v", ok, err)
	}
	for _, it := range items {
		if labels := set.Labels(it.Query); len(labels) != 0 {
			t.Errorf("%v still counts", labels)
		}
	}
}

func TestTwoWindows(t *testing.T) {
	items := pool(2, 3)
	set := store(t, items)
	s := open(t, items, set, session.Options{})
	one, two := next(t, s, "ann"), next(t, s, "ann")
	answer := func(task session.Task) error {
		return s.Answer("ann", session.Answer{Item: task.Item, Seq: task.Seq, Event: assay.EventGrade, Grade: 3})
	}
	if err := answer(one); err != nil {
		t.Fatal(err)
	}
	if err := answer(two); !errors.Is(err, session.ErrMoved) {
		t.Errorf("the second window's answer to the same item: %v", err)
	}
	stale := next(t, s, "ann")
	grade(t, s, "ann", 1)
	if _, err := s.Undo("ann", stale.Seq); !errors.Is(err, session.ErrMoved) {
		t.Errorf("undo in a window that is behind: %v", err)
	}
	n := 0
	for _, it := range items[:1] {
		n += len(set.Events(it.Query))
	}
	for _, it := range items[3:4] {
		n += len(set.Events(it.Query))
	}
	if n != 2 {
		t.Errorf("%d events are stored, want 2", n)
	}
}

func TestEvidence(t *testing.T) {
	text := "💩This is an annotation."
	c := assay.Chunk{ID: "c", Document: "d", Version: "v", Span: &assay.Span{Start: 100, End: 100 + len(text)}, Text: text, Before: "Before. ", After: " Behind."}
	item := item("q", "?", c)
	for _, tc := range []struct {
		name   string
		marked session.Marked
		want   string
	}{
		{"C19: bytes, not UTF-16 units", session.Marked{Start: 15, End: 25, Quote: "annotation"}, ""},
		{"other words", session.Marked{Start: 14, End: 24, Quote: "annotation"}, "are not the words"},
		{"through a character", session.Marked{Start: 2, End: 4, Quote: text[2:4]}, "the marked words"},
		{"outside", session.Marked{Start: 15, End: 99, Quote: "annotation."}, "the marked words"},
		{"backwards", session.Marked{Start: 25, End: 15, Quote: ""}, "the marked words"},
		{"blank", session.Marked{Start: 8, End: 9, Quote: " "}, "only blanks"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			items := []session.Item{item}
			set := store(t, items)
			s := open(t, items, set, session.Options{})
			task := next(t, s, "ann")
			err := s.Answer("ann", session.Answer{Item: task.Item, Seq: task.Seq, Event: assay.EventGrade, Grade: 3, Evidence: &tc.marked})
			if tc.want != "" {
				if err == nil || !strings.Contains(err.Error(), tc.want) || !errors.Is(err, assay.ErrUsage) {
					t.Errorf("error %v, want %q", err, tc.want)
				}
				if n := len(set.Events("q")); n != 0 {
					t.Errorf("%d events are stored", n)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			got := set.Labels("q")[0].Target
			if got.Start != 115 || got.End != 125 || got.Quote != "annotation" || got.Document != "d" ||
				got.Before != "Before. 💩This is an " || got.After != ". Behind." {
				t.Errorf("the label is on %+v", got)
			}
		})
	}
}

func TestAdjudication(t *testing.T) {
	items := pool(2, 2)
	set := store(t, items)
	o := session.Options{Second: 1}
	s := open(t, items, set, o)
	all(t, s, "ann", always(3))
	all(t, s, "ben", func(task session.Task) assay.Grade {
		if strings.HasPrefix(task.Text, "passage 0") {
			return 3
		}
		return 0
	})
	o.Adjudicate = true
	s = open(t, items, set, o)
	task := next(t, s, "cleo")
	if len(task.Opinions) != 2 || task.Opinions[0].Who != "ann" || task.Opinions[1].Grade != 0 {
		t.Fatalf("opinions %+v", task.Opinions)
	}
	grade(t, s, "cleo", 2)
	grade(t, s, "cleo", 1)
	if _, ok, _ := s.Next("cleo"); ok {
		t.Error("more than the two disputed items are handed out")
	}
	if ok, err := s.Undo("cleo", 2); !ok || err != nil {
		t.Errorf("undo: %v %v", ok, err)
	}
	grade(t, s, "cleo", 2)
	for _, it := range items {
		for _, l := range set.Labels(it.Query) {
			disputed := strings.HasSuffix(l.Target.Chunk, "-1")
			if disputed && (l.Who != assay.Adjudicated || l.Grade != 2 || l.Note != "settled by cleo") {
				t.Errorf("%s: %+v, want cleo's 2", l.Target.Chunk, l)
			}
			if !disputed && l.Grade != 3 {
				t.Errorf("%s: %+v", l.Target.Chunk, l)
			}
		}
		// Both originals stand beside it.
		people := map[string]bool{}
		for _, l := range set.Events(it.Query) {
			people[l.Who] = true
		}
		if !people["ann"] || !people["ben"] {
			t.Errorf("whose events are there: %v", people)
		}
	}
}

func TestBlind(t *testing.T) {
	items := pool(1, 2)
	set := store(t, items)
	if err := set.AddLabels(assay.Label{Query: "q0", Target: items[0].Passage.Target, Event: assay.EventGrade, Grade: 3, By: assay.ByJudge, Who: "secret-judge"}); err != nil {
		t.Fatal(err)
	}
	s := open(t, items, set, session.Options{Second: 1})
	grade(t, s, "ann", 1)
	for range 2 {
		task := next(t, s, "ben")
		if len(task.Opinions) != 0 || strings.Contains(fmt.Sprintf("%+v", task), "secret") {
			t.Errorf("the task tells what others said: %+v", task)
		}
		grade(t, s, "ben", 0)
	}
}

func TestRefusals(t *testing.T) {
	items := pool(1, 1)
	for _, o := range []session.Options{{Second: 1.5}, {Repeats: 0.6}, {Gold: -0.1}} {
		if _, err := session.New(items, store(t, items), o); !errors.Is(err, assay.ErrUsage) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if _, err := session.New(append(items, items...), store(t, items), session.Options{}); err == nil {
		t.Error("one passage twice is taken")
	}
	s := open(t, items, store(t, items), session.Options{})
	for _, who := range []string{"", " ", " ann", "a\nb", assay.Adjudicated, strings.Repeat("x", 65), "\xff"} {
		if _, _, err := s.Next(who); !errors.Is(err, assay.ErrUsage) {
			t.Errorf("name %q: %v", who, err)
		}
	}
	task := next(t, s, "ann")
	for _, a := range []session.Answer{{Event: "love"}, {Event: assay.EventUndo}, {Event: assay.EventGrade, Grade: 4}, {Event: assay.EventGrade, Grade: -1},
		{Event: assay.EventSkip, Note: strings.Repeat("x", session.MaxNote+1)}} {
		a.Item, a.Seq = task.Item, task.Seq
		if err := s.Answer("ann", a); !errors.Is(err, assay.ErrUsage) {
			t.Errorf("%+v: %v", a, err)
		}
	}
}

func TestQueriesComeInSeededOrder(t *testing.T) {
	first := map[string]bool{}
	for seed := range uint64(10) {
		items := pool(10, 1)
		first[next(t, open(t, items, store(t, items), session.Options{Seed: seed}), "ann").Query] = true
	}
	if len(first) < 3 {
		t.Errorf("ten seeds begin with %v", first)
	}
}

// What was passed over comes back when it is open again.
func TestReopened(t *testing.T) {
	items := pool(2, 2)
	s := open(t, items, store(t, items), session.Options{})
	say := func(who string, e assay.Event) session.Task {
		t.Helper()
		task := next(t, s, who)
		if err := s.Answer(who, session.Answer{Item: task.Item, Seq: task.Seq, Event: e}); err != nil {
			t.Fatal(err)
		}
		return task
	}
	// A bad query is taken back: the rest of its passages are asked for.
	bad := say("ann", assay.EventBadQuery)
	seq := next(t, s, "ann").Seq
	if _, err := s.Undo("ann", seq); err != nil {
		t.Fatal(err)
	}
	if rest := all(t, s, "ann", always(1)); len(rest) != 4 || rest[0] != bad.Text {
		t.Errorf("after a bad query was taken back: %q", rest)
	}
	// Ben finds nothing; ann takes an answer back and is unsure: then it is ben's.
	if _, ok, _ := s.Next("ben"); ok {
		t.Error("ben is given what ann judged")
	}
	task, _, _ := s.Next("ann")
	if _, err := s.Undo("ann", task.Seq); err != nil {
		t.Fatal(err)
	}
	unsure := say("ann", assay.EventUnsure)
	if got := next(t, s, "ben"); got.Item != unsure.Item {
		t.Errorf("ben is given %q, want what ann was unsure of", got.Text)
	}
}

// An answer is to the asking it was given for, though the same item is in front of the rater again.
func TestAnswerToAnEarlierAsking(t *testing.T) {
	items := pool(1, 2)
	s := open(t, items, store(t, items), session.Options{})
	stale := next(t, s, "ann")
	grade(t, s, "ann", 3)
	if _, err := s.Undo("ann", next(t, s, "ann").Seq); err != nil {
		t.Fatal(err)
	}
	if again := next(t, s, "ann"); again.Item != stale.Item {
		t.Fatal("the item is not back")
	}
	err := s.Answer("ann", session.Answer{Item: stale.Item, Seq: stale.Seq, Event: assay.EventGrade, Grade: 0})
	if !errors.Is(err, session.ErrMoved) {
		t.Errorf("taken: %v", err)
	}
}

func TestTimesTellTheOrder(t *testing.T) {
	items := pool(10, 20)
	set := store(t, items)
	var times []time.Time
	s := open(t, items, set, session.Options{})
	for range 200 {
		grade(t, s, "ann", 1)
	}
	for _, it := range items {
		if it.Passage.Target.Chunk[len(it.Passage.Target.Chunk)-2:] != "-0" {
			continue
		}
		for _, l := range set.Events(it.Query) {
			times = append(times, l.Time)
		}
	}
	slices.SortFunc(times, time.Time.Compare)
	if n := len(slices.CompactFunc(times, time.Time.Equal)); n != 200 {
		t.Errorf("200 answers at %d times", n)
	}
}
