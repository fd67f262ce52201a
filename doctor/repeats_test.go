package doctor_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/doctor"
	"github.com/assay-eval/assay/internal/parts"
)

// program is a retriever of kind command: a real process whose rankings are what the Python expression says.
const program = `import json, random, sys
for line in sys.stdin:
    q = json.loads(line)
    ids = ["a", "b", "c", "d", "e", "f", "g", "h"]
    ids = %s
    print(json.dumps({"hits": [{"id": i, "score": 1.0} for i in ids[:q["k"]]]}), flush=True)
`

func TestRepeats(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		parts.Missing(t, "python3", "install Python 3")
	}
	for name, c := range map[string]struct {
		ids  string
		want want
	}{
		"healthy":        {`ids`, want{status: doctor.OK, found: "3 queries, sent twice, have the same rankings"}},
		"other hits":     {`random.sample(ids, 8)`, want{doctor.Fault, "other_hits", "find other chunks the second time", "replicas that differ"}},
		"other order":    {`random.sample(ids[:3], 3)`, want{doctor.Warning, "other_order", "in another order", "break ties"}},
		"nothing at all": {`[]`, want{doctor.Fault, "nothing_found", "3 queries find nothing", `assay search app "question`}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "app.py"), fmt.Appendf(nil, program, c.ids), 0o644); err != nil {
				t.Fatal(err)
			}
			yaml := "systems:\n  app: {retriever: {kind: command, command: [python3, app.py]}, k: 4}\n"
			set := labels(assay.Target{Chunk: "a"}, assay.Target{Chunk: "b"}, assay.Target{Chunk: "c"})
			r := examineIn(t, dir, yaml, doctor.Options{Only: []string{"repeats"}, Seed: 1}, func(s *doctor.Setup) { s.Testset = set })
			c.want.check(t, finding(t, r, "repeats", "system app"))
		})
	}
	r := examine(t, chromaSystem(t, collection(t, "cosine", handbook()), ""), doctor.Options{Only: []string{"repeats"}})
	want{status: doctor.OK, found: "5 queries, sent twice"}.check(t, finding(t, r, "repeats", "system live"))
}
