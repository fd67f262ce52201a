package shell_test

import (
	"os/exec"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay/internal/shell"
)

func TestWord(t *testing.T) {
	for in, want := range map[string]string{
		"last~1": "last~1", "~root": "'~root'", "docs_v3": "docs_v3", "a b": "'a b'", "it's": `'it'\''s'`, "": "''", "$(rm -rf x)": "'$(rm -rf x)'", "qrels/ä.txt": "qrels/ä.txt",
	} {
		if got := shell.Word(in); got != want {
			t.Errorf("%q becomes %s, want %s", in, got, want)
		}
	}
}

// A shell reads back every word as it was.
func TestShellReadsWordsBack(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh")
	}
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringOf(rapid.RuneFrom([]rune("ab é'\"$`\\*?~#&;|<>(){}[]!-=\n\t"))), 1, 4).Draw(t, "words")
		out, err := exec.Command(sh, "-c", shell.Command(append([]string{"printf", `%s|`}, words...)...)).Output()
		if want := strings.Join(words, "|") + "|"; err != nil || string(out) != want {
			t.Fatalf("%q comes back as %q, %v", want, out, err)
		}
	})
}
