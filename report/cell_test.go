package report

import (
	"math"
	"testing"
	"time"

	"github.com/assay-eval/assay/stats"
)

func hour(n int) time.Time {
	return time.Date(2026, 12, 2, 0, 0, 0, 0, time.UTC).Add(time.Duration(n) * time.Hour)
}

func TestCells(t *testing.T) {
	iv := &stats.Interval{Lo: -0.02, Hi: 0.00001}
	for _, c := range []struct {
		cell          Cell
		text, machine string
		right         bool
	}{
		{Unknown, "–", "", false},
		{Score(math.NaN(), nil), "–", "", false},
		{Score(math.Inf(1), nil), "–", "", false},
		{Score(0.79664, nil), "0.7966", "0.79664", true},
		{Score(-0.00001, nil), "0.0000", "-1e-05", true},
		{Score(0.5, &stats.Interval{Lo: 0.25, Hi: 0.75}), "0.5000 [0.2500, 0.7500]", "0.5", true},
		{Score(0.5, &stats.Interval{Lo: math.NaN(), Hi: 1}), "0.5000", "0.5", true},
		{Delta(-0.01, iv), "-0.0100 [-0.0200, 0.0000]", "-0.01", true},
		{Delta(0.1, nil), "+0.1000", "0.1", true},
		{Delta(0.1, iv).Range(), "-0.0200 – 0.0000", "", true},
		{Delta(0.1, nil).Range(), "–", "", false},
		{Delta(0.1, iv).Point(), "+0.1000", "0.1", true},
		{Share(0.25), "25 %", "0.25", true},
		{Share(1. / 3), "33.3 %", "0.3333333333333333", true},
		{DeltaShare(-0.05, nil), "-5 %", "-0.05", true},
		{DeltaShare(0.05, nil), "+5 %", "0.05", true},
		{Millis(0.0123, nil), "0.012", "0.0123", true},
		{Millis(1234.5, nil), "1234", "1234.5", true},
		{DeltaMillis(3, nil), "+3.00", "3", true},
		{P(0.00001), "< 0.0001", "1e-05", true},
		{P(0.04321), "0.0432", "0.04321", true},
		{Count(12), "12", "12", true},
		{String(""), "–", "", false},
		{String("=1+1"), "=1+1", "'=1+1", false},
		{Code("a|b"), "a|b", "a|b", false},
		{At(time.Date(2026, 12, 2, 1, 30, 59, 0, time.FixedZone("", 3600))), "2026-12-02 00:30", "2026-12-02T00:30:59Z", false},
		{At(time.Time{}), "–", "", false},
	} {
		if got := c.cell.String(); got != c.text {
			t.Errorf("%+v is shown as %q, want %q", c.cell, got, c.text)
		}
		if got := c.cell.field(); got != c.machine {
			t.Errorf("%+v is written as %q, want %q", c.cell, got, c.machine)
		}
		if got := c.cell.Numeric(); got != c.right {
			t.Errorf("%+v: Numeric is %v", c.cell, got)
		}
	}
}
