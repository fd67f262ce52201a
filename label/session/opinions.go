package session

import (
	"maps"
	"slices"

	"github.com/assay-eval/assay"
)

// opinion tells whether the answer decides anything: unsure and skip leave the item to somebody else.
func (a *answer) opinion() bool {
	switch a.label.Event {
	case assay.EventGrade, assay.EventBrokenText, assay.EventBadQuery:
		return true
	}
	return false
}

// opinions are what people said of an item, by name.
func (x *item) opinions() []*answer {
	var out []*answer
	for _, who := range slices.Sorted(maps.Keys(x.words)) {
		if a := x.words[who]; who != assay.Adjudicated && a.opinion() {
			out = append(out, a)
		}
	}
	return out
}

func (x *item) adjudicated() bool {
	a := x.words[assay.Adjudicated]
	return a != nil && a.label.Event == assay.EventGrade
}

// differ tells whether people said different things of the item and nobody settled it.
func (x *item) differ() bool {
	if len(x.words) < 2 || x.words[assay.Adjudicated] != nil {
		return false
	}
	said := x.opinions()
	for _, a := range said {
		if a.label.Event != said[0].label.Event || a.label.Grade != said[0].label.Grade {
			return true
		}
	}
	return false
}
