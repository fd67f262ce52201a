package doctest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/assay-eval/assay/internal/shared"
)

// TestTutorialWorkflow holds the workflow of docs/tutorial.md to the page that it stands on: what its steps run is executed there
// under the same words, installs this module, or puts a file that the page makes where GitHub wants it.
func TestTutorialWorkflow(t *testing.T) {
	repo, err := shared.Repo()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(repo, "docs", "tutorial.md"))
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	_, rest, ok := strings.Cut(page, "<!-- doctest: file .github/workflows/retrieval.yml -->\n```yaml\n")
	text, _, closed := strings.Cut(rest, "```")
	if !ok || !closed {
		t.Fatal("the tutorial has no workflow")
	}
	var workflow struct {
		On   any
		Jobs map[string]struct {
			RunsOn string `yaml:"runs-on"`
			Steps  []struct{ Uses, Run, If string }
		}
	}
	if err := yaml.Unmarshal([]byte(text), &workflow); err != nil {
		t.Fatal(err)
	}
	module := regexp.MustCompile(`(?m)^module (\S+)$`)
	mod, err := os.ReadFile(filepath.Join(repo, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	path := module.FindStringSubmatch(string(mod))[1]
	executed := 0
	for _, job := range workflow.Jobs {
		for _, s := range job.Steps {
			file, summary := strings.CutPrefix(s.Run, "cat ")
			switch {
			case s.Uses != "":
			case strings.HasPrefix(s.Run, "go install "+path+"/cmd/assay@"):
			case summary && strings.HasSuffix(file, ` >> "$GITHUB_STEP_SUMMARY"`) && s.If == "always()":
				if name := strings.Fields(file)[0]; !strings.Contains(page, "head -n 9 "+name) {
					t.Errorf("the page does not make %s", name)
				}
			case strings.Contains(page, "\n$ "+s.Run+"\n"):
				executed++
			default:
				t.Errorf("step %q is not executed on the page", s.Run)
			}
		}
	}
	if executed == 0 {
		t.Error("no step of the workflow is executed")
	}
}
