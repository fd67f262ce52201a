package config

// Judge configures `assay judge`.
type Judge struct {
	Model     string  `key:"model" doc:"name of the chat model that judges; another family than the one that wrote the queries"`
	Rubric    string  `key:"rubric" doc:"what the grades mean: umbrela (0 to 3), binary (0 and 1), or a file; assay judge --show-prompt prints it"`
	Depth     int     `key:"depth" doc:"top hits of each run that are judged"`
	Seed      uint64  `key:"seed" doc:"seed of the order of the passages"`
	Retries   int     `key:"retries" doc:"further asks after a reply that cannot be used"`
	MaxFailed float64 `key:"max_failed" doc:"share of passages without a grade above which the judging is incomplete (exit 5)"`
	MinKappa  float64 `key:"min_kappa" doc:"lower bound of kappa with people, relevant or not, below which numbers that rest on a judge pass no gate"`
}

// Label configures `assay label`.
type Label struct {
	Depth   int     `key:"depth" doc:"top hits of each run that are labelled"`
	Seed    uint64  `key:"seed" doc:"seed of the order of the passages"`
	Repeats float64 `key:"repeats" doc:"share of items asked a second time, unannounced, to see whether a person agrees with themselves"`
	Gold    float64 `key:"gold" doc:"share of items whose answer is known already"`
	Second  float64 `key:"second" doc:"share of items that a second person is asked too"`
}

var (
	defaultJudge = Judge{Rubric: "umbrela", Depth: 10, Seed: 1, Retries: 1, MaxFailed: 0.01, MinKappa: 0.4}
	defaultLabel = Label{Depth: 10, Seed: 1, Repeats: 0.05, Gold: 0.05, Second: 0.2}
)

// Rubrics are the rubrics that have a name; any other value of judge.rubric is a file.
var Rubrics = []string{"umbrela", "binary"}

func (k *checker) labels() {
	j, l := k.cfg.Judge, k.cfg.Label
	if j.Model != "" {
		k.reference("judge.model", j.Model, false)
	}
	k.atLeast("judge.depth", j.Depth, 1)
	k.atLeast("judge.retries", j.Retries, 0)
	k.atLeast("label.depth", l.Depth, 1)
	for _, s := range []struct {
		key   string
		share float64
	}{{"judge.max_failed", j.MaxFailed}, {"judge.min_kappa", j.MinKappa}, {"label.repeats", l.Repeats}, {"label.gold", l.Gold}, {"label.second", l.Second}} {
		if s.share < 0 || s.share > 1 {
			k.add(s.key, "must be from 0 to 1")
		}
	}
}
