package web_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/assay-eval/assay/internal/browser"
)

// What a key marks are sentences, however the lines of the Markdown run; never what only structures it.
func TestSentencesOfMarkdown(t *testing.T) {
	b := browser.Start(t)
	page, _ := labelling(t, items(1, 1), nil)
	p := enter(t, b, serve(t, page), "ann", false)
	for text, want := range map[string]string{
		"## Deleting\n\nA page goes. It stays.":                        "A page goes.|It stays.",
		"# A\r\nkeep 30 days\r\n\r\n# B\r\nx y\r\n":                    "keep 30 days|x y",
		"Wrapped over\ntwo lines. And\nthree.":                         "Wrapped over\ntwo lines.|And\nthree.",
		"Title\n=====\nText one.":                                      "Text one.",
		"Title\n---\n\nText. \n\n---\n\nMore.":                         "Text.|More.",
		"Two lines of text\nunder each other\n---\nMore.":              "Two lines of text\nunder each other|More.",
		"- [ ] first point\n- second one. Goes\n  on here\n\n1. third": "first point|second one.|Goes\n  on here|third",
		"> quoted words\n> - in a list":                                "quoted words|in a list",
		"````sh\nrm -r # old\n```\n# not a heading\n````\nEnd.":        "rm -r # old|```|# not a heading|End.",
		"| key | means |\n| --- | :-: |\n| a | b. c |":                 "| key | means ||| a | b. c |",
		"备份保留三十天。然后删除。":                                                "备份保留三十天。|然后删除。",
		"# Only\n## Headings":                                          "# Only|## Headings",
		"#hashtag is text":                                             "#hashtag is text",
		"":                                                             "",
	} {
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		got := browser.Eval[[]string](p, `(text => sentences(text).map(([from, to]) => text.slice(from, to).trim()))(`+string(quoted)+`)`)
		if strings.Join(got, "|") != want {
			t.Errorf("%q has %q, want %q", text, strings.Join(got, "|"), want)
		}
	}
}

// The first key marks the first sentence below the heading; the keys go round in both directions, from a selection too.
func TestMarkGoesRound(t *testing.T) {
	b := browser.Start(t)
	page, _ := labelling(t, handbook()[:1], nil)
	p := enter(t, b, serve(t, page), "ann", false)
	marked := func() string { return browser.Eval[string](p, `document.getElementById("words").textContent`)[:5] }
	for _, step := range []struct{ key, want string }{{"e", "A del"}, {"e", "Anyon"}, {"e", "After"}, {"e", "A del"}, {"E", "After"}, {"E", "Anyon"}} {
		if p.Press(step.key); marked() != step.want {
			t.Errorf("%s marks %q, want %q", step.key, marked(), step.want)
		}
	}
	browser.Eval[bool](p, `(mark(20, 40), true)`)
	if p.Press("e"); marked() != "Anyon" {
		t.Errorf("after a selection in the first sentence, e marks %q", marked())
	}
}

// What the page says of the last answer covers neither the query nor the passage nor the keys, and moves nothing.
func TestWhatIsSaidCoversNothing(t *testing.T) {
	b := browser.Start(t)
	page, _ := labelling(t, handbook(), nil)
	for _, size := range [][2]int{{1100, 800}, {360, 740}} {
		for _, dark := range []bool{false, true} {
			p := enter(t, b, serve(t, page), "ann", dark)
			p.Do(chromedp.EmulateViewport(int64(size[0]), int64(size[1])))
			top := `document.querySelector("#keys .grades").getBoundingClientRect().top`
			before := browser.Eval[float64](p, top)
			browser.Eval[bool](p, `(say('Grade 3 is stored. 12 left'), true)`)
			if after := browser.Eval[float64](p, top); after != before {
				t.Errorf("%v: the keys moved from %v to %v", size, before, after)
			}
			browser.Eval[bool](p, `(say('Not stored: the disk is full. Press the key again to retry.', true), true)`)
			if over := browser.Eval[[]string](p, `(() => {
				const s = document.getElementById('status').getBoundingClientRect()
				return ['query', 'passage', 'keys'].filter(id => {
					const r = document.getElementById(id).getBoundingClientRect()
					return r.left < s.right && s.left < r.right && r.top < s.bottom && s.top < r.bottom
				})
			})()`); len(over) > 0 {
				t.Errorf("%v: it covers %q", size, over)
			}
			if low := p.LowContrast(); len(low) > 0 {
				t.Errorf("%v: too faint: %q", size, low)
			}
			p.Keep("label-said-" + browser.Theme(dark) + map[bool]string{true: "-phone"}[size[0] == 360])
		}
	}
}

// Who hears the page is told what was stored and how much is left, by a region that is there from the beginning.
func TestProgressIsSaid(t *testing.T) {
	b := browser.Start(t)
	page, _ := labelling(t, handbook(), nil)
	p := enter(t, b, serve(t, page), "ann", false)
	if shown := browser.Eval[string](p, `getComputedStyle(document.getElementById("status")).display`); shown == "none" {
		t.Error("the live region is not part of the page before it says something, so screen readers may miss the first words")
	}
	press(p, "3", 1)
	if said := browser.Eval[string](p, `document.getElementById("status").textContent`); said != "Grade 3 is stored. 2 left" {
		t.Errorf("said %q", said)
	}
	if value := browser.Eval[string](p, `document.getElementById("bar").getAttribute("aria-valuetext")`); value != "1 of 3 passages done by everybody" {
		t.Errorf("the bar says %q", value)
	}
}
