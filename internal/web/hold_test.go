package web_test

import (
	"encoding/json"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/browser"
	"github.com/assay-eval/assay/label/session"
)

// clock is a clock that tests move on.
type clock struct{ ahead atomic.Int64 }

func (c *clock) now() time.Time        { return time.Now().Add(time.Duration(c.ahead.Load())) }
func (c *clock) pass(by time.Duration) { c.ahead.Add(int64(by)) }

// Through the server: what a visitor left goes to the next, and the late answer of the first is stored beside the other's.
func TestHoldsOverHTTP(t *testing.T) {
	var c clock
	page, set := labelling(t, items(1, 1), func(o *session.Options) { o.Now = c.now })
	address := serve(t, page)
	visit := visitor(t, address)
	answer := func(who string, r reply, grade int) reply {
		return call(t, visit, address, "answer", fmt.Sprintf(`{"who":%q,"item":%q,"seq":%d,"event":"grade","grade":%d}`, who, r.Task.Item, r.Seq, grade))
	}
	held := func(who string) bool {
		var r struct{ Held *bool }
		if err := json.Unmarshal([]byte(post(t, visit, address, "alive", fmt.Sprintf(`{"who":%q}`, who))), &r); err != nil || r.Held == nil {
			t.Fatalf("alive: %+v %v", r, err)
		}
		return *r.Held
	}
	ann := call(t, visit, address, "next", `{"who":"ann"}`)
	for range 3 { // ann's page talks
		c.pass(session.DefaultIdle)
		if !held("ann") {
			t.Fatal("ann lost the passage while reading")
		}
		if r := call(t, visit, address, "next", `{"who":"ben"}`); r.Task != nil || r.Progress.Elsewhere != 1 || r.Progress.Left != 1 {
			t.Fatalf("ben is given %+v with progress %+v", r.Task, r.Progress)
		}
	}
	c.pass(session.DefaultIdle + time.Second) // ann left
	ben := call(t, visit, address, "next", `{"who":"ben"}`)
	if ben.Task == nil || ben.Task.Item != ann.Task.Item {
		t.Fatalf("ben is given %+v", ben.Task)
	}
	if held("ann") || !held("ben") {
		t.Error("it is ben's now, and both are told otherwise")
	}
	if r := answer("ann", ann, 3); r.Moved {
		t.Error("ann's late answer is refused")
	}
	if r := answer("ben", ben, 1); r.Moved {
		t.Error("ben's answer is refused")
	}
	got := map[string]assay.Grade{}
	for _, l := range events(set) {
		got[l.Who] = l.Grade
	}
	if len(got) != 2 || got["ann"] != 3 || got["ben"] != 1 {
		t.Errorf("stored %v", got)
	}
}

// In the page: who comes back is told, keeps what they read until they say otherwise, and gets another passage at a key.
func TestThePageOfAReturningRater(t *testing.T) {
	var c clock
	b := browser.Start(t)
	page, set := labelling(t, items(1, 3), func(o *session.Options) { o.Now = c.now })
	address := serve(t, page)
	p := enter(t, b, address, "ann", true)
	text := `document.getElementById("passage").textContent`
	before := browser.Eval[string](p, text)
	p.Press("g") // nothing was taken: the key does nothing
	c.pass(session.DefaultIdle + time.Second)
	visit := visitor(t, address)
	if ben := call(t, visit, address, "next", `{"who":"ben"}`); ben.Task.Text != before {
		t.Fatalf("ben is given %q, want what ann left", ben.Task.Text)
	}
	browser.Eval[bool](p, `(heard = 0, dispatchEvent(new Event('pointermove')), true)`) // a minute has passed for the page, too
	until(p, `!document.getElementById("taken").hidden`)
	if after := browser.Eval[string](p, text); after != before {
		t.Errorf("the page moved on to %q under ann's hands", after)
	}
	if low := p.LowContrast(); len(low) > 0 {
		t.Errorf("too faint: %q", low)
	}
	p.Keep("label-taken")
	p.Press("g")
	until(p, `!busy && document.getElementById("taken").hidden`)
	if after := browser.Eval[string](p, text); after == before {
		t.Error("ann still has what ben is judging")
	}
	press(p, "2", 1)
	if all := events(set); len(all) != 1 || all[0].Who != "ann" {
		t.Errorf("stored %+v", all)
	}
	quiet(t, p)
}

// Who is given nothing because others have the rest is told so, and sees it come back.
func TestThePageWaitsForOthers(t *testing.T) {
	var c clock
	b := browser.Start(t)
	page, _ := labelling(t, items(1, 1), func(o *session.Options) { o.Now = c.now })
	address := serve(t, page)
	call(t, visitor(t, address), address, "next", `{"who":"ann"}`)
	p := b.Open(t, address, false)
	browser.Eval[bool](p, `(minute = 300, true)`)
	beginAs(p, "ben")
	until(p, `document.getElementById("done").textContent.includes("One passage is in front of others")`)
	c.pass(session.DefaultIdle + time.Second)
	until(p, `state.task !== null && !document.getElementById("work").hidden`)
	quiet(t, p)
}
