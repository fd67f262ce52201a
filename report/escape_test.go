package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	gmhtml "github.com/yuin/goldmark/renderer/html"
	"golang.org/x/net/html"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay/internal/term"
)

// forge renders Markdown as forges do: tables, strike-through and bare links on, raw HTML let through.
var forge = goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(gmhtml.WithUnsafe()))

// tester is a *testing.T or a *rapid.T.
type tester interface {
	Helper()
	Fatal(...any)
	Errorf(string, ...any)
}

// rendered is what a reader sees of Markdown, and the elements that make it up.
func rendered(t tester, markdown string) (text string, elements []string) {
	var b bytes.Buffer
	if err := forge.Convert([]byte(markdown), &b); err != nil {
		t.Fatal(err)
	}
	root, err := html.Parse(&b)
	if err != nil {
		t.Fatal(err)
	}
	var seen strings.Builder
	for n := range root.Descendants() {
		switch n.Type {
		case html.TextNode:
			seen.WriteString(n.Data)
		case html.ElementNode:
			elements = append(elements, n.Data)
		}
	}
	return seen.String(), elements
}

// only fails for an element that is not among those that the markup around foreign text makes.
func only(t tester, elements []string, allowed string) {
	t.Helper()
	for _, e := range elements {
		if !strings.Contains(" html head body "+allowed+" ", " "+e+" ") {
			t.Errorf("an element <%s>", e)
		}
	}
}

// squeeze makes texts comparable: a renderer may fold spaces.
func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

func checkLiteral(t tester, s string) {
	t.Helper()
	want := squeeze(term.Printable(s))
	if text, el := rendered(t, "x "+escape(s)+" x"); squeeze(text) != squeeze("x "+want+" x") {
		t.Errorf("escape(%q) shows as %q", s, text)
	} else {
		only(t, el, "p")
	}
	if text, el := rendered(t, "| a |\n| --- |\n| x "+escape(s)+" |\n"); squeeze(text) != squeeze("a x "+want) {
		t.Errorf("in a table escape(%q) shows as %q", s, text)
	} else {
		only(t, el, "table thead tbody tr th td")
	}
	if text, el := rendered(t, "| a |\n| --- |\n| x "+codeSpan(s)+" |\n"); squeeze(text) != squeeze("a x "+want) {
		t.Errorf("in a table codeSpan(%q) shows as %q", s, text)
	} else {
		only(t, el, "table thead tbody tr th td code")
	}
	if text, el := rendered(t, "<details><summary>"+escapeHTML(s)+"</summary>\n\nx\n\n</details>\n"); squeeze(text) != squeeze(want+" x") {
		t.Errorf("escapeHTML(%q) shows as %q", s, text)
	} else {
		only(t, el, "details summary p")
	}
}

func TestMarkdownTakesNothingForMarkup(t *testing.T) {
	for _, s := range hostile {
		checkLiteral(t, s)
	}
}

func TestMarkdownTakesNoTextForMarkup(t *testing.T) {
	alphabet := []rune("ab1 <>&\\`*_[]()|~$@#:/.!w-+={}\"'\n\té漢\u202e\x1b")
	rapid.Check(t, func(t *rapid.T) {
		checkLiteral(t, rapid.StringOfN(rapid.RuneFrom(alphabet), 0, 24, -1).Draw(t, "text"))
	})
	rapid.Check(t, func(t *rapid.T) { checkLiteral(t, rapid.String().Draw(t, "text")) })
}

func TestForgesMakeNoMention(t *testing.T) {
	for in, want := range map[string]string{
		"@team look":        "@" + apart + "team look",
		"recall@10":         "recall@10",
		"a@b.example":       "a@" + apart + "b.example",
		"see #12":           "see #" + apart + "12",
		"https://x.example": "https:" + apart + "//x.example",
		"www.x.example":     "www" + apart + ".x.example",
		"a_b_c _d_":         "a_b_c \\_d\\_",
	} {
		if got := escape(in); got != want {
			t.Errorf("escape(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestProse(t *testing.T) {
	for in, want := range map[string]string{
		"run `assay run` now":  "run `assay run` now",
		"a | b `x | y`":        "a \\| b `x \\| y`",
		"one ` alone":          "one \\` alone",
		"`a` and one ` alone":  "`a` and one \\` alone",
		"<b> `<b>`":            "&lt;b&gt; `<b>`",
		"an empty `` span":     "an empty \\`\\` span",
		"it is 5 % `x` of \\n": "it is 5 % `x` of \\\\n",
	} {
		if got := prose(in); got != want {
			t.Errorf("prose(%q) = %q, want %q", in, got, want)
		}
	}
}
