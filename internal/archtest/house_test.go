package archtest

// A room is a folder of the module together with its subfolders, unless those are rooms of their own. It may import
// itself, the rooms in may, and what everybody may.
type room struct {
	path  string   // from the module root; "connector/*" makes every folder in connector a room of its own
	holds string   // what somebody looks for here
	may   []string // paths of rooms in this table, as they are written there
	libs  []string // the libraries outside the standard one; nil: any of go.mod, none: not one

	test bool // only test files and other test rooms may import it
	tool bool // knows nothing of a stage: any room but the pure ones may import it
	pure bool // computes only, so it may not import the tools, which read files and dial
}

const root = "." // the package assay: the domain

var none = []string{}

// house is the plan. Data flows one way through it, from corpus to report, and a room knows only what lies behind it; what
// it needs from another it takes as one of the root's interfaces, and internal/cli puts the pieces together. Two rooms
// called x/* know nothing of each other: a store never imports another store, nor one model server another.
var house = []room{
	{path: root, holds: "the domain and the interfaces between rooms", libs: none, pure: true},

	{path: "measure", holds: "measure names, definitions, per-query values", may: []string{root}, libs: none, pure: true},
	{path: "stats", holds: "intervals, paired tests, power", libs: []string{"gonum.org/v1/gonum"}, pure: true},
	{path: "trec", holds: "qrels and run files", may: []string{root}, libs: []string{"github.com/klauspost/compress"}},
	{path: "trec/evaluate", holds: "qrels and a run joined into rows and means", may: []string{root, "trec", "measure"}, libs: none},
	{path: "trec/treceval", holds: "trec_eval's output, byte for byte", may: []string{root, "trec", "trec/evaluate", "measure"}, libs: none},
	{path: "anchor", holds: "spans: quote, re-find, credit", may: []string{root}},

	{path: "corpus", holds: "documents, chunkers, sampling", may: []string{root, "anchor"}},
	{path: "llm", holds: "decorators and cache around models", may: []string{root, "llm/internal/*"}},
	{path: "llm/*", holds: "one model server each", may: []string{root, "llm", "llm/internal/*"}},
	{path: "llm/internal/*", holds: "what model servers share", may: []string{root, "llm", "llm/internal/*"}},
	{path: "llm/all", holds: "the list of model servers", may: []string{root, "llm", "llm/*"}},
	{path: "llm/llmtest", holds: "the contract of a model server", may: []string{root, "llm", "internal/parts", "internal/shared"}, test: true},
	{path: "connector", holds: "optional powers, decorators", may: []string{root, "connector/internal/*"}},
	{path: "connector/*", holds: "one store each", may: []string{root, "connector", "connector/internal/*"}},
	{path: "connector/internal/*", holds: "what stores share", may: []string{root, "connector", "connector/internal/*"}},
	{path: "connector/all", holds: "the list of stores", may: []string{root, "connector", "connector/*"}},
	{path: "connector/connectortest", holds: "the contract of a store", may: []string{root, "connector", "internal/parts", "internal/shared"}, test: true},

	{path: "pipeline", holds: "one system under test", may: []string{root, "llm", "connector"}},
	{path: "generate", holds: "chunks to queries, the filter chain", may: []string{root, "corpus", "anchor"}},
	{path: "testset", holds: "queries and labels on disk", may: []string{root, "anchor"}},
	{path: "label", holds: "judges, pooling, agreement", may: []string{root, "anchor", "stats"}},
	{path: "runner", holds: "drives queries through a pipeline", may: []string{root, "pipeline", "testset"}},
	{path: "score", holds: "rankings and labels to numbers and warnings", may: []string{root, "measure", "stats", "anchor", "testset"}},
	{path: "ledger", holds: "runs and history, fingerprints", may: []string{root, "measure"}},
	{path: "compare", holds: "runs against runs", may: []string{root, "measure", "stats", "ledger"}},
	{path: "gate", holds: "thresholds and verdicts", may: []string{root, "compare", "measure", "stats", "ledger"}},
	{path: "diagnose", holds: "which stage lost an answer", may: []string{root, "ledger", "anchor", "connector"}},
	{path: "doctor", holds: "preflight checks", may: []string{root, "pipeline"}},
	{path: "report", holds: "one report model, many renderers",
		may: []string{root, "measure", "stats", "score", "label", "testset", "ledger", "compare", "gate", "diagnose", "doctor"}},

	{path: "internal/*", holds: "tools without a stage", may: []string{root, "internal/*"}, tool: true},
	{path: "internal/config", holds: "assay.yaml", may: []string{root, "internal/*"}},
	{path: "internal/project", holds: "an assay.yaml made into systems, models and stores", may: []string{everything}},
	{path: "internal/draft", holds: "what was found on a machine made into a first assay.yaml",
		may: []string{root, "corpus", "stats", "llm", "llm/*", "connector", "connector/all"}},
	{path: "internal/cli", holds: "one file per command", may: []string{everything}},
	{path: "internal/web", holds: "server, dashboards, labelling page", may: []string{everything}},
	{path: "internal/parts", holds: "real servers for tests", test: true},
	{path: "internal/browser", holds: "pages opened in a browser, for tests", may: []string{"internal/parts"}, test: true},
	{path: "internal/shared", holds: "reference data for tests", may: []string{"internal/parts"}, test: true},
	{path: "internal/archtest", holds: "these rules", test: true},
	{path: "internal/doctest", holds: "the documentation, executed", may: []string{"internal/parts", "internal/shared"}, test: true},
	{path: "cmd/assay", holds: "main", may: []string{"internal/cli"}, libs: none},
	{path: "scripts", holds: "programs that building and testing need", libs: none},
	{path: "bench", holds: "programs that measure assay beside its peers", may: []string{everything}},
}

// everything stands for every room but the programs at the top and the test rooms.
const everything = "..."

// tops are imported by nobody but main and, for the commands' sake, the web pages' starter internal/cli.
var tops = map[string][]string{
	"internal/cli": {"cmd/assay"},
	"internal/web": {"internal/cli"},
	"cmd/assay":    nil,
	"scripts":      nil,
	"bench":        nil,
}

// banned packages of the standard library, with the reason.
var banned = map[string]string{
	"C":         "assay is built without cgo",
	"math/rand": "seeds are stored with the result: take a PCG of math/rand/v2 from the caller",
}
