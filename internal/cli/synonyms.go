package cli

// synonyms are what other tools call our commands, by the command that holds them. They are suggested and not run: one name for a
// thing is enough for a script to be read by others.
var synonyms = map[string]map[string]string{
	"assay": {
		"check": "doctor", "preflight": "doctor", "validate": "doctor", "lint": "doctor",
		"eval": "run", "evaluate": "run", "test": "run", "bench": "run", "benchmark": "run",
		"diff": "compare", "vs": "compare", "ci": "gate", "verdict": "gate", "threshold": "gate",
		"log": "history", "results": "history", "trend": "history", "show": "report", "explain": "report",
		"ask": "search", "query": "search", "annotate": "label", "qrels": "labels", "synthesize": "generate", "synthesise": "generate",
		"load": "import", "save": "export", "dump": "export", "setup": "init", "new": "init", "metrics": "measures", "connectors": "stores",
		"trec_eval": "score", "ls": "runs", "list": "runs", "kappa": "agree", "agreement": "agree",
	},
	"assay runs":     {"remove": "rm", "delete": "rm", "del": "rm", "prune": "rm", "ls": "list", "all": "list", "get": "show", "info": "show", "inspect": "show"},
	"assay baseline": {"remove": "clear", "rm": "clear", "delete": "clear", "unset": "clear", "reset": "clear", "add": "set", "save": "set", "update": "set", "list": "show", "ls": "show", "get": "show"},
	"assay config":   {"validate": "check", "lint": "check", "verify": "check", "show": "check", "print": "check", "dump": "check"},
	"assay queries":  {"get": "show", "info": "show", "view": "show", "inspect": "show"},
}
