package corpus_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/corpus"
)

func TestHTMLText(t *testing.T) {
	for name, tt := range map[string]struct{ html, want string }{
		"blocks":      {"<p>One\n  <b>two</b>, three.<p>Four", "One two, three.\n\nFour"},
		"line breaks": {"a<br>b<br/>c<div>d</div>e", "a\nb\nc\nd\ne"},
		"lists":       {"x<ul><li>a<li>b</ul>y", "x\n\na\nb\n\ny"},
		"table":       {"<table><tr><th>k<th>v<tr><td>a<td>1</table>", "k\tv\na\t1"},
		"pre":         {"<p>x<pre>\na  b\n  c\n</pre>y", "x\n\na  b\n  c\n\n\ny"},
		"inline":      {"<a href=x>un</a><i>broken</i> <span> word </span>end", "unbroken word end"},
		"entities":    {"a&nbsp;b &lt;c&gt; &#233;", "a\u00a0b <c> é"},
		"invisible":   {"a<script>x</script><style>y</style><template>z</template><noscript>n</noscript><svg><text>s</text></svg><p hidden>h</p><p style='display: none'>d</p><!-- c -->b", "ab"},
		"controls":    {"<select><option>o</select><textarea>t</textarea><button>Go</button>", "Go"},
		"markup text": {"&lt;img src=x onerror=alert(1)&gt;", "<img src=x onerror=alert(1)>"},
		"head":        {"<title>T</title><meta name=d content=x>body<title>late</title>", "body"},
		"blank":       {"  \n <p> </p>", ""},
	} {
		t.Run(name, func(t *testing.T) {
			page, err := corpus.HTMLText(tt.html)
			if err != nil {
				t.Fatal(err)
			}
			if page.Text != tt.want {
				t.Errorf("got  %q\nwant %q", page.Text, tt.want)
			}
		})
	}
}

func TestHTMLSections(t *testing.T) {
	root := tree(t, map[string]string{"p.html": `<!doctype html><html><head><title> Ops
 manual </title><style>h1{}</style></head><body>
<nav>Home</nav><h1>Back&shy;ups</h1><p>Kept 30&nbsp;days.<h2></h2><h2>Re<b>store</b></h2><pre>
# not a heading
</pre><h3>Only</h3><h4>Deeper</h4>text`})
	src, err := corpus.Open(corpus.Spec{Path: root})
	if err != nil {
		t.Fatal(err)
	}
	var got [][2]string
	for doc, err := range src.Documents(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if doc.Title != "Ops manual" {
			t.Errorf("title %q", doc.Title)
		}
		for _, h := range doc.Outline {
			if got := doc.Text[h.Span.Start:h.Span.End]; got != h.Title {
				t.Errorf("the heading %q stands at %q", h.Title, got)
			}
		}
		doc.ID = "d"
		chunks := split(t, doc, corpus.DefaultChunking)
		checkChunks(t, doc, corpus.DefaultChunking, chunks)
		for _, c := range chunks {
			got = append(got, [2]string{c.Title, c.Text})
		}
	}
	want := [][2]string{
		{"Ops manual", "Home"},
		{"Ops manual > Back\u00adups", "Back\u00adups\n\nKept 30\u00a0days."},
		{"Ops manual > Back\u00adups > Restore", "Restore\n\n# not a heading"},
		{"Ops manual > Back\u00adups > Restore > Only > Deeper", "Only\n\nDeeper\n\ntext"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func FuzzHTML(f *testing.F) {
	for _, s := range []string{"<h1>a<h2>b</h1>c", "<pre>\n\n x</pre>y", "<table><td>a<tr>b", "<title>a<svg><title>b", "<h1><br>x<div>y</h1>", "a<p hidden><h1>b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		page, err := corpus.HTMLText(source)
		if err != nil || !utf8.ValidString(source) {
			return
		}
		if strings.HasPrefix(page.Text, "\n") || !utf8.ValidString(page.Text) {
			t.Fatalf("text %q", page.Text)
		}
		last := 0
		for _, h := range page.Outline {
			text, err := h.Span.In(page.Text)
			if err != nil || text == "" || h.Span.Start < last || h.Level < 1 || h.Level > 6 {
				t.Fatalf("heading %+v is %q: %v", h, text, err)
			}
			last = h.Span.Start
		}
	})
}
