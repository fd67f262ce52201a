package main

import (
	"math"
	"math/rand/v2"
)

// mostlyTies draws a difference of 0 with the given probability.
func mostlyTies(ties float64, rest func(r *rand.Rand) float64) func(r *rand.Rand) float64 {
	return func(r *rand.Rand) float64 {
		if r.Float64() < ties {
			return 0
		}
		return rest(r)
	}
}

// meanReciprocal is the mean of 1/(1+X) for X binomial(9, p).
func meanReciprocal(p float64) float64 { return (1 - math.Pow(1-p, 10)) / (10 * p) }

// differences are paired differences A − B of two systems.
var differences = []scenario{
	{"nDCG, unlike systems, no ties", 2.0/3 - 3.0/5, func(r *rand.Rand) float64 { return beta(r, 2, 1) - beta(r, 3, 2) }},
	{"nDCG, 70 % ties", 0.3 * 0.05, mostlyTies(0.7, func(r *rand.Rand) float64 { return 0.05 + 0.3*r.NormFloat64() })},
	{"nDCG, one setting changed: 50 % ties, rare large moves", 0.0025, mostlyTies(0.5, func(r *rand.Rand) float64 {
		move := 0.04 * r.NormFloat64()
		if r.Float64() < 0.1 {
			move *= 8
		}
		return 0.005 + move
	})},
	{"recall of 3 items, 70 % ties", 0.3 * 0.1, mostlyTies(0.7, func(r *rand.Rand) float64 {
		if r.Float64() < 0.65 {
			return 1.0 / 3
		}
		return -1.0 / 3
	})},
	{"reciprocal rank, 60 % ties", 0.4 * (meanReciprocal(0.3) - meanReciprocal(0.2)), mostlyTies(0.6, func(r *rand.Rand) float64 {
		return 1/(1+hits(r, 9, 0.3)) - 1/(1+hits(r, 9, 0.2))
	})},
	{"precision at 10", 0.04, func(r *rand.Rand) float64 {
		p := beta(r, 2, 3)
		return (hits(r, 10, p) - hits(r, 10, 0.9*p)) / 10
	}},
	{"gains only, 70 % ties", 0.3 * 0.25, mostlyTies(0.7, func(r *rand.Rand) float64 { return beta(r, 1, 3) })},
	{"many small losses, few large gains", 0.85*-0.025 + 0.15*0.6, func(r *rand.Rand) float64 {
		if r.Float64() < 0.85 {
			return -0.05 * r.Float64()
		}
		return 0.4 + 0.4*r.Float64()
	}},
	{"90 % ties", 0.1 * -0.05, mostlyTies(0.9, func(r *rand.Rand) float64 { return 0.3 - 0.7*r.Float64() })},
}

// null is a distribution of differences whose mean is 0.
type null struct {
	scenario
	symmetric, binary bool
}

// nulls are differences under no difference.
var nulls = []null{
	{scenario{"normal", 0, func(r *rand.Rand) float64 { return 0.2 * r.NormFloat64() }}, true, false},
	{scenario{"nDCG, two runs of equal systems", 0, func(r *rand.Rand) float64 { return beta(r, 2, 1) - beta(r, 2, 1) }}, true, false},
	{scenario{"70 % ties, heavy tails", 0, mostlyTies(0.7, func(r *rand.Rand) float64 { return 0.1 * r.NormFloat64() / (0.2 + r.Float64()) })}, true, false},
	{scenario{"recall of 3 items, 60 % ties", 0, mostlyTies(0.6, func(r *rand.Rand) float64 { return (hits(r, 3, 0.5) - hits(r, 3, 0.5)) / 3 })}, true, false},
	{scenario{"0/1, systems differ on 30 %", 0, discordant(0.3)}, true, true},
	{scenario{"0/1, systems differ on 10 %", 0, discordant(0.1)}, true, true},
	{scenario{"skewed: 90 % small losses, 10 % large gains", 0, func(r *rand.Rand) float64 {
		if r.Float64() < 0.9 {
			return -0.1 * r.Float64()
		}
		return 0.9 * r.Float64()
	}}, false, false},
}

// discordant draws paired 0/1 differences: −1 or 1 on a share of the queries.
func discordant(share float64) func(r *rand.Rand) float64 {
	return mostlyTies(1-share, func(r *rand.Rand) float64 {
		if r.Float64() < 0.5 {
			return 1
		}
		return -1
	})
}
