package web_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/browser"
	"github.com/assay-eval/assay/internal/web"
	"github.com/assay-eval/assay/label"
	"github.com/assay-eval/assay/label/session"
	"github.com/assay-eval/assay/testset"
)

func item(query, text string) session.Item {
	c := assay.Chunk{ID: assay.HashText(text)[7:15], Document: "docs/" + assay.HashText(text)[7:11] + ".md", Version: assay.HashText(text),
		Span: &assay.Span{End: len(text)}, Text: text}
	id := testset.QueryID(query, nil)
	return session.Item{Item: label.Item{ID: label.ItemID(id, text), Query: id, Passage: label.Passage{Target: testset.TargetOf(c), Text: text}}, Text: query}
}

func items(queries, passages int) []session.Item {
	var out []session.Item
	for q := range queries {
		for p := range passages {
			out = append(out, item(fmt.Sprintf("How long is backup %d kept?", q),
				fmt.Sprintf("Backup %d is kept for %d days. Then it is deleted. Ask the administrators before you rely on it.", q, p)))
		}
	}
	return out
}

// labelling is a page over items, with a test set in a folder that is new.
func labelling(t *testing.T, all []session.Item, edit func(*session.Options)) (*web.Labelling, *testset.Set) {
	t.Helper()
	set, err := testset.OpenOrCreate(filepath.Join(t.TempDir(), "testset"))
	if err != nil {
		t.Fatal(err)
	}
	for _, it := range all {
		if _, err := set.AddQueries(assay.Query{ID: it.Query, Text: it.Text}); err != nil {
			t.Fatal(err)
		}
	}
	o := session.Options{Seed: 1}
	if edit != nil {
		edit(&o)
	}
	s, err := session.New(all, set, o)
	if err != nil {
		t.Fatal(err)
	}
	return &web.Labelling{Session: s, Project: "handbook", Adjudicate: o.Adjudicate}, set
}

// enter opens the page and gives a name.
func enter(t *testing.T, b *browser.Browser, address, who string, dark bool) *browser.Page {
	t.Helper()
	p := b.Open(t, address, dark)
	beginAs(p, who)
	return p
}

func beginAs(p *browser.Page, who string) {
	p.Do(chromedp.WaitVisible("#who"), chromedp.SendKeys("#who", who+kb.Enter), chromedp.WaitNotVisible("#enter"))
}

// press presses a key and waits until the server has stored the answer, as its number of events tells.
func press(p *browser.Page, key string, seq int) {
	p.Press(key)
	until(p, fmt.Sprintf("!busy && (state.seq === %d || state.task === null)", seq))
}

// until waits for a condition in the page. (What the browser library polls with is refused by the page's policy.)
func until(p *browser.Page, condition string) {
	for end := time.Now().Add(time.Minute); !browser.Eval[bool](p, condition); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			panic("the page never came to " + condition + ": " + browser.Eval[string](p, `document.body.innerText`))
		}
	}
}

func events(set *testset.Set) []assay.Label {
	var out []assay.Label
	for _, q := range set.Queries() {
		out = append(out, set.Events(q.ID)...)
	}
	slices.SortStableFunc(out, func(a, b assay.Label) int { return a.Time.Compare(b.Time) })
	return out
}

func TestHundredJudgmentsByKeyboard(t *testing.T) {
	b := browser.Start(t)
	page, set := labelling(t, items(10, 12), func(o *session.Options) { o.Repeats = 0.05 })
	p := enter(t, b, serve(t, page), "ann", false)
	for i := range 100 {
		press(p, string("0123usxb"[i%4]), i+1)
	}
	var grades [4]int
	all := events(set)
	for _, l := range all {
		if l.Event != assay.EventGrade || l.By != assay.ByHuman || l.Who != "ann" {
			t.Fatalf("an event %+v", l)
		}
		grades[l.Grade]++
	}
	if len(all) != 100 || grades != [4]int{25, 25, 25, 25} {
		t.Errorf("%d events are stored, by grade %v; want 100, a quarter each", len(all), grades)
	}
	// Undo, the other answers, a note.
	press(p, "z", 101)
	press(p, "u", 102)
	press(p, "s", 103)
	press(p, "b", 104)
	p.Press("n")
	p.Do(chromedp.SendKeys("#note", "nobody asks this"), chromedp.SendKeys("#note", kb.Enter))
	press(p, "x", 105)
	all = events(set)[100:]
	var got []string
	for _, l := range all {
		got = append(got, string(l.Event)+" "+l.Note)
	}
	if want := "undo |unsure |skip |broken_text |bad_query nobody asks this"; strings.Join(got, "|") != want {
		t.Errorf("events %q, want %q", strings.Join(got, "|"), want)
	}
	quiet(t, p)
}

// quiet wants a page that complained of nothing and asked nobody else for anything.
func quiet(t *testing.T, p *browser.Page) {
	t.Helper()
	if c := p.Console(); len(c) > 0 {
		t.Errorf("the console says %q", c)
	}
	for _, r := range p.Requests() {
		if !strings.HasPrefix(r, "http://127.0.0.1:") {
			t.Errorf("the page asked for %s", r)
		}
	}
}

// C19: what is marked is stored in bytes of the passage.
func TestMarkedWordsAreBytes(t *testing.T) {
	b := browser.Start(t)
	text := "💩This is an annotation."
	page, set := labelling(t, []session.Item{item("what is it?", text)}, nil)
	p := enter(t, b, serve(t, page), "ann", false)
	browser.Eval[bool](p, `(() => {
		const node = document.getElementById('passage').firstChild, at = node.data.indexOf('annotation'), r = document.createRange()
		r.setStart(node, at); r.setEnd(node, at + 'annotation'.length)
		getSelection().removeAllRanges(); getSelection().addRange(r)
		document.getElementById('passage').dispatchEvent(new MouseEvent('mouseup', {bubbles: true}))
		return true
	})()`)
	p.Do(chromedp.WaitVisible("#evidence"))
	press(p, "3", 1)
	got := set.Labels(testset.QueryID("what is it?", nil))[0].Target
	if got.Start != 15 || got.End != 25 || got.Quote != "annotation" {
		t.Errorf("stored as bytes %d–%d of %q, want 15–25", got.Start, got.End, got.Quote)
	}
}

// A sentence can be marked without a mouse.
func TestMarkBySentence(t *testing.T) {
	b := browser.Start(t)
	page, set := labelling(t, items(1, 1), nil)
	p := enter(t, b, serve(t, page), "ann", false)
	p.Press("e")
	p.Press("e")
	press(p, "2", 1)
	if got := events(set)[0].Evidence; got == nil || got.Quote != "Then it is deleted." {
		t.Errorf("marked %+v, want the second sentence", got)
	}
}

// C20: what documents and queries hold is shown as text, in the page and in what it is made from.
func TestHostileTextIsText(t *testing.T) {
	b := browser.Start(t)
	passage := `<img src=x onerror=alert(1)> <b>bold</b> ` + "\u202e" + `</article><script>document.title='pwned'</script>`
	query := `</script><script>alert(1)</script>`
	all := []session.Item{item(query, passage)}
	all[0].Passage.Title = `"><b onclick=alert(1)>`
	page, set := labelling(t, all, nil)
	page.Project = `"><b>name`
	p := enter(t, b, serve(t, page), `<i>ann</i>`, false)
	shown := func(id string) string {
		return browser.Eval[string](p, `document.getElementById("`+id+`").textContent`)
	}
	if shown("passage") != passage || shown("query") != query || shown("project") != page.Project {
		t.Errorf("shown: %q, %q, %q", shown("passage"), shown("query"), shown("project"))
	}
	if n := browser.Eval[int](p, `document.querySelectorAll("main img, main script, main b, header b, header i").length`); n != 0 {
		t.Errorf("%d elements came out of texts", n)
	}
	p.Press("h")
	p.Press("e")
	press(p, "3", 1)
	quiet(t, p)
	if got := set.Labels(testset.QueryID(query, nil))[0]; got.Who != "<i>ann</i>" || !strings.Contains(passage, got.Target.Quote) {
		t.Errorf("stored %+v", got)
	}
}

// The page source and everything it is sent tell nothing of systems, ranks, scores or grades.
func TestThePageIsBlind(t *testing.T) {
	all := items(2, 3)
	page, set := labelling(t, all, func(o *session.Options) { o.Second = 1 })
	for _, it := range all {
		l := assay.Label{Query: it.Query, Target: it.Passage.Target, Event: assay.EventGrade, Grade: 3, By: assay.ByJudge, Who: "secret-model", Note: "secret note"}
		if err := set.AddLabels(l); err != nil {
			t.Fatal(err)
		}
	}
	address := serve(t, page)
	c := visitor(t, address)
	for range 3 {
		s := call(t, c, address, "next", `{"who":"ann"}`)
		call(t, c, address, "answer", fmt.Sprintf(`{"who":"ann","item":%q,"seq":%d,"event":"grade","grade":1,"note":"secret note"}`, s.Task.Item, s.Seq))
	}
	raw := post(t, c, address, "next", `{"who":"ben"}`)
	var keys map[string]any
	if err := json.Unmarshal([]byte(raw), &keys); err != nil {
		t.Fatal(err)
	}
	for key := range keys["task"].(map[string]any) {
		if !slices.Contains([]string{"item", "query", "title", "document", "text"}, key) {
			t.Errorf("the page is told %q", key)
		}
	}
	if strings.Contains(raw, "secret") {
		t.Errorf("the page is told what others said: %s", raw)
	}
}

type reply struct {
	Task *struct {
		Item string `json:"item"`
		Text string `json:"text"`
		Cut  int    `json:"cut"`
	} `json:"task"`
	Seq      int              `json:"seq"`
	Moved    bool             `json:"moved"`
	Progress session.Progress `json:"progress"`
}

func call(t *testing.T, c *http.Client, address, path, body string) reply {
	t.Helper()
	var r reply
	if err := json.Unmarshal([]byte(post(t, c, address, path, body)), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func post(t *testing.T, c *http.Client, address, path, body string) string {
	t.Helper()
	resp, err := c.Post(base(address)+"/api/"+path, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s %s", path, resp.Status, text)
	}
	return string(text)
}

func TestHugePassageIsCutAndSaidSo(t *testing.T) {
	page, _ := labelling(t, []session.Item{item("q?", strings.Repeat("é", 5<<20))}, nil)
	address := serve(t, page)
	s := call(t, visitor(t, address), address, "next", `{"who":"ann"}`)
	if n := len(s.Task.Text); n > 128<<10 || n+s.Task.Cut != 10<<20 || strings.ContainsRune(s.Task.Text, '\uFFFD') {
		t.Errorf("%d bytes shown, %d said to be cut, of 10 MB", n, s.Task.Cut)
	}
}

func TestTwoTabs(t *testing.T) {
	b := browser.Start(t)
	page, set := labelling(t, items(1, 4), nil)
	address := serve(t, page)
	one := enter(t, b, address, "ann", false)
	two := enter(t, b, address, "ann", false)
	press(one, "3", 1)
	two.Press("0")
	until(two, `document.getElementById("status").textContent.includes("another window")`)
	if all := events(set); len(all) != 1 || all[0].Grade != 3 {
		t.Errorf("stored %+v, want the first window's 3 alone", all)
	}
	press(two, "2", 2)
	if all := events(set); len(all) != 2 {
		t.Errorf("%d events, want 2", len(all))
	}
}

// When the disk refuses an answer, the page says so and stays where it is.
func TestAnswerThatCannotBeStored(t *testing.T) {
	b := browser.Start(t)
	page, set := labelling(t, items(1, 3), nil)
	p := enter(t, b, serve(t, page), "ann", false)
	before := browser.Eval[string](p, `document.getElementById("passage").textContent`)
	// A folder in the place of the file: also root cannot write to it.
	file := filepath.Join(set.Dir(), testset.LabelsFile)
	if err := os.MkdirAll(file, 0o755); err != nil {
		t.Fatal(err)
	}
	p.Press("3")
	until(p, `document.getElementById("status").textContent.startsWith("Not stored")`)
	if after := browser.Eval[string](p, `document.getElementById("passage").textContent`); after != before {
		t.Errorf("the page went on to %q", after)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	press(p, "3", 1)
	if all := events(set); len(all) != 1 {
		t.Errorf("%d events, want 1", len(all))
	}
}

func TestAdjudicationPage(t *testing.T) {
	b := browser.Start(t)
	all := items(1, 2)
	page, set := labelling(t, all, func(o *session.Options) { o.Adjudicate = true })
	for i, who := range []string{"ann", "ben"} {
		l := assay.Label{Query: all[0].Query, Target: all[0].Passage.Target, Event: assay.EventGrade, Grade: 3 * i, By: assay.ByHuman, Who: who}
		if err := set.AddLabels(l); err != nil {
			t.Fatal(err)
		}
	}
	s, err := session.New(all, set, session.Options{Adjudicate: true})
	if err != nil {
		t.Fatal(err)
	}
	page.Session = s
	p := enter(t, b, serve(t, page), "cleo", false)
	if said := browser.Eval[string](p, `document.getElementById("opinions").textContent`); !strings.Contains(said, "ann: grade 0") || !strings.Contains(said, "ben: grade 3") {
		t.Errorf("shown %q", said)
	}
	press(p, "2", 1)
	if l := set.Labels(all[0].Query)[0]; l.Who != assay.Adjudicated || l.Grade != 2 {
		t.Errorf("%+v counts", l)
	}
}

// handbook is a query with passages as a small wiki has them.
func handbook() []session.Item {
	const query = "How long do deleted pages stay in the bin?"
	var out []session.Item
	for _, text := range []string{
		"## Deleting\n\nA deleted page goes to the space's bin and stays there for 30 days. Anyone who may edit the space can bring it back from there. " +
			"After that the page is erased together with its attachments, and only a restore from a backup can recover it.",
		"## Drafts\n\nWhat you type is kept as a draft every 20 seconds. A draft belongs to you alone and is not searchable.",
		"## Backups\n\nA full copy is made every night and kept for two weeks.",
	} {
		it := item(query, text)
		it.Passage.Title, it.Passage.Target.Document, it.Turn = "Pages", "guide/pages.md", len(out)
		out = append(out, it)
	}
	return out
}

// Everything can be reached and read, in both themes and on a phone.
func TestPageForEverybody(t *testing.T) {
	b := browser.Start(t)
	page, _ := labelling(t, handbook(), nil)
	address := serve(t, page)
	for _, dark := range []bool{false, true} {
		p := enter(t, b, address, "ann", dark)
		p.Press("h")
		p.Press("e")
		p.Press("e")
		if faint := p.LowContrast(); len(faint) > 0 {
			t.Errorf("dark %v: too faint: %q", dark, faint)
		}
		browser.Eval[bool](p, `(document.querySelector(".skip").focus(), true)`)
		reached := strings.Join(p.Tab(40), "\n")
		for _, want := range []string{"not relevant", "answers", "unsure", "undo", "note", "Passage", "Keys"} {
			if !strings.Contains(reached, want) {
				t.Errorf("the tab key does not reach %q:\n%s", want, reached)
			}
		}
		quiet(t, p)
		browser.Eval[bool](p, `(document.activeElement.blur(), scrollTo(0, 0), say(''), true)`)
		p.Keep("label-" + browser.Theme(dark))
	}
	p := enter(t, b, address, "ben", false)
	p.Do(chromedp.EmulateViewport(360, 740))
	if wide := browser.Eval[int](p, `document.documentElement.scrollWidth`); wide > 360 {
		t.Errorf("on a phone the page is %d pixels wide", wide)
	}
	p.Keep("label-phone")
}
