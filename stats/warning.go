package stats

import "fmt"

// WarningKind is the machine-readable name of a warning.
type WarningKind string

// The warnings a result can carry.
const (
	WarnFewQueries    WarningKind = "few_queries"    // under 50 independent queries
	WarnDegenerate    WarningKind = "degenerate"     // scores without spread
	WarnAllTies       WarningKind = "all_ties"       // no query on which the systems differ
	WarnFewDiffer     WarningKind = "few_differ"     // too few differing queries to reach the level
	WarnClusters      WarningKind = "clusters"       // clusters collapse the sample
	WarnWeights       WarningKind = "weights"        // unequal weights collapse the sample
	WarnStrata        WarningKind = "strata"         // strata merged or set aside
	WarnAsymmetric    WarningKind = "asymmetric"     // symmetry was assumed and is not there
	WarnAssumption    WarningKind = "assumption"     // the stated assumption was set aside
	WarnFewTail       WarningKind = "few_tail"       // too few values for the wanted quantile
	WarnFewLabels     WarningKind = "few_labels"     // too few human labels
	WarnJudgeBias     WarningKind = "judge_bias"     // judge and people differ beyond noise
	WarnJudgeUseless  WarningKind = "judge_useless"  // the judge adds nothing
	WarnChosen        WarningKind = "chosen"         // people's queries are no random sample
	WarnUndefined     WarningKind = "undefined"      // the coefficient has no value here
	WarnPrevalence    WarningKind = "prevalence"     // nearly all ratings in one category
	WarnUnpairedItems WarningKind = "unpaired_items" // items with fewer than two ratings
)

// Warning is a doubt about a number that has to travel with it.
type Warning struct {
	Kind    WarningKind `json:"kind"`
	Message string      `json:"message"`
}

// String returns the message.
func (w Warning) String() string { return w.Message }

func warnf(kind WarningKind, format string, args ...any) Warning {
	return Warning{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// counted is a number with its noun.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Below MinQueries no gate should pass; below FewQueries intervals of skewed
// scores cover less than they claim (docs/statistics.md has by how much).
const (
	MinQueries = 30
	FewQueries = 50
)

// few warns about a small number of independent queries.
func few(effective float64, noun string, adjusted bool) []Warning {
	if adjusted {
		noun = "independent " + noun + " (effective)"
	}
	n := int(effective + 1e-9)
	switch {
	case n < MinQueries:
		return []Warning{warnf(WarnFewQueries, "only %d %s: %d is the least for a verdict, %d for an interval that keeps its level", n, noun, MinQueries, FewQueries)}
	case n < FewQueries:
		return []Warning{warnf(WarnFewQueries, "only %d %s: below %d an interval may cover less than it claims", n, noun, FewQueries)}
	}
	return nil
}
