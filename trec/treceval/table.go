package treceval

import (
	"slices"

	"github.com/assay-eval/assay/trec"
)

// kind is how trec_eval reads a measure's parameters and names its columns.
type kind int

const (
	single  kind = iota // no parameters; what is given is ignored
	cuts                // whole-number cutoffs, sorted, one column each: P_5
	levels              // fractional cutoffs, sorted, one column each: iprec_at_recall_0.10
	values              // a list, one column named as typed: set_F_0.5
	pairs               // name=value list, one column named as typed: ndcg_1=3,2=9
	special             // runid, num_q, relstring
)

// entry is a measure of trec_eval, in the order in which they are printed.
type entry struct {
	name   string
	family string // in package measure
	kind   kind
	ints   []int     // default cutoffs
	floats []float64 // default levels or values
	whole  bool      // printed as an integer
	since  trec.Release
}

var (
	nineCuts = []int{5, 10, 15, 20, 30, 100, 200, 500, 1000}
	tenths   = []float64{0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0}
)

var table = []entry{
	{name: "runid", kind: special},
	{name: "num_q", kind: special},
	{name: "num_ret", family: "num_ret", whole: true},
	{name: "num_rel", family: "num_rel", whole: true},
	{name: "num_rel_ret", family: "num_rel_ret", whole: true},
	{name: "map", family: "map"},
	{name: "gm_map", family: "gm_map"},
	{name: "Rprec", family: "rprec"},
	{name: "bpref", family: "bpref"},
	{name: "recip_rank", family: "mrr"},
	{name: "iprec_at_recall", family: "iprec", kind: levels, floats: tenths},
	{name: "P", family: "p", kind: cuts, ints: nineCuts},
	{name: "relstring", kind: special, floats: []float64{10}},
	{name: "recall", family: "recall", kind: cuts, ints: nineCuts},
	{name: "infAP", family: "infap"},
	{name: "gm_bpref", family: "gm_bpref"},
	{name: "Rprec_mult", family: "rprec_mult", kind: levels, floats: []float64{0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0}},
	{name: "utility", family: "utility", kind: values, floats: []float64{1, -1, 0, 0}},
	{name: "11pt_avg", family: "11pt_avg", kind: values, floats: tenths},
	{name: "binG", family: "bing"},
	{name: "G", family: "g", kind: pairs},
	{name: "dcg", family: "dcg", kind: pairs, since: trec.Release10},
	{name: "ideal_dcg", family: "ideal_dcg", kind: pairs, since: trec.Release10},
	{name: "ndcg", family: "ndcg", kind: pairs},
	{name: "ndcg_rel", family: "ndcg_rel", kind: pairs},
	{name: "Rndcg", family: "rndcg", kind: pairs},
	{name: "ndcg_cut", family: "ndcg", kind: cuts, ints: nineCuts},
	{name: "map_cut", family: "map", kind: cuts, ints: nineCuts},
	{name: "relative_P", family: "relative_p", kind: cuts, ints: nineCuts},
	{name: "success", family: "success", kind: cuts, ints: []int{1, 5, 10}},
	{name: "set_P", family: "set_p"},
	{name: "set_relative_P", family: "set_relative_p"},
	{name: "set_recall", family: "set_recall"},
	{name: "set_map", family: "set_map"},
	{name: "set_F", family: "set_f", kind: values, floats: []float64{1}},
	{name: "num_nonrel_judged_ret", family: "num_nonrel_judged_ret", whole: true},
	{name: "yaap", family: "yaap"},
	{name: "rbp", family: "rbp", kind: pairs, since: trec.Release10},
	{name: "rbp_resid", family: "rbp_resid", kind: pairs, since: trec.Release10},
	{name: "unj", family: "unj", kind: cuts, ints: []int{5, 10, 20}, since: trec.Release10},
}

// nicknames stand for several measures. Those of the formats prefs and qrels_jg are known, to say that
// the formats are not read.
var nicknames = map[string][]string{
	"official": {"runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank",
		"iprec_at_recall", "P"},
	"set": {"runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "utility", "set_P", "set_recall", "set_relative_P",
		"set_map", "set_F"},
	"all_trec":  allTrec(),
	"prefs":     nil,
	"all_prefs": nil,
	"qrels_jg":  nil,
}

// allTrec is the whole table but the three measures that trec_eval leaves out of it.
func allTrec() []string {
	var names []string
	for _, e := range table {
		if !slices.Contains([]string{"yaap", "dcg", "ideal_dcg"}, e.name) {
			names = append(names, e.name)
		}
	}
	return names
}

// find is the index of a measure in the table, -1 if there is none of that name in the release.
func find(name string, release trec.Release) int {
	return slices.IndexFunc(table, func(e entry) bool { return e.name == name && e.since <= release })
}
