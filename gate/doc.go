// Package gate turns the rules of a configuration and a comparison into a verdict and an exit code that a release engineer
// can act on: pass, regression, inconclusive, incomplete, not comparable.
//
// Its one opinion is that a gate must know its noise. A rule is held against an interval, not against a mean: it passes when
// the whole interval is on the good side, fails when the data show a drop that chance does not explain, and is
// inconclusive in between, in which case it says how many queries would settle it. Under 30 independent queries nothing passes.
// A rule without data never passes either: what was not measured was not shown to be fine.
package gate
