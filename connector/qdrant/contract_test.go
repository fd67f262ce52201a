package qdrant

import (
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector"
	"github.com/assay-eval/assay/connector/connectortest"
)

// The contract runs three times over recorded traffic, because each recording asks for another part of
// the payload, and once more against a live server (live_test.go).

func TestContractWholePayload(t *testing.T) {
	(&connectortest.Suite{
		Open: func(t *testing.T) assay.Retriever {
			return recorded(t, Settings{Key: "payload.chunk_id", Text: "payload.text", Document: "payload.path", Start: "payload.start", End: "payload.end"})
		},
		Missing:  func(t *testing.T) assay.Retriever { return recorded(t, Settings{Collection: "nope"}) },
		Chunks:   points(t, true),
		Distance: connector.Cosine,
		Requests: []assay.Request{
			{Vector: vectorAt(t, "8"), K: 5},
			{Vector: vectorAt(t, "c9a52f54-99c2-d5b7-bd1f-61da14ebe68d"), K: 1},
			{Vector: vectorAt(t, "500"), K: 1}, // a payload without text
		},
		Ks:      []int{5},
		Filters: []*assay.Filter{}, Counts: []*assay.Filter{filter(t, `{"field":"lang","eq":"de"}`)},
		Without: []string{"TestWrongDimension", "TestNothingFound", "TestListFiltered", "TestListingVectors", "TestFetching", "TestExact"},
	}).Run(t)
}

func TestContractWithoutPayload(t *testing.T) {
	(&connectortest.Suite{
		Open:     func(t *testing.T) assay.Retriever { return recorded(t, Settings{Payload: []string{"none"}}) },
		Chunks:   points(t, false),
		Distance: connector.Cosine,
		Requests: []assay.Request{{Vector: vectorAt(t, "8"), K: 10}, {Vector: vectorAt(t, "2637283987631399372"), K: 3}},
		Ks:       []int{1, 10, 1000},
		Filters:  []*assay.Filter{}, Counts: []*assay.Filter{},
		Without: []string{"TestNothingFound", "TestListing", "TestListingVectors", "TestFetching", "TestListingStops", "TestExact"},
	}).Run(t)
}

func TestContractFilters(t *testing.T) {
	var filters []*assay.Filter
	for _, f := range []string{
		`{"field":"lang","eq":"de"}`, `{"field":"year","eq":2021}`, `{"field":"draft","eq":true}`, `{"field":"lang","in":["de","fr"]}`,
		`{"field":"year","gte":2020,"lte":2022}`, `{"field":"price","gt":10.5,"lt":30}`, `{"field":"lang","eq":"xx"}`, `{"field":"nope","eq":"x"}`,
		`{"or":[{"field":"lang","eq":"de"},{"field":"year","eq":2021}]}`, `{"not":{"field":"lang","eq":"en"}}`, `{"field":"lang","ne":"en"}`,
		`{"and":[{"field":"lang","eq":"en"},{"or":[{"field":"year","eq":2020},{"field":"year","eq":2023}]}]}`,
		`{"field":"tags","exists":true}`, `{"field":"tags","eq":"backup"}`, `{"field":"year","eq":"2021"}`,
	} {
		filters = append(filters, filter(t, f))
	}
	(&connectortest.Suite{
		Open: func(t *testing.T) assay.Retriever {
			return recorded(t, Settings{Payload: []string{"lang", "year", "tags"}})
		},
		Chunks:   points(t, false),
		Distance: connector.Cosine,
		Requests: []assay.Request{{Vector: vectorAt(t, "8"), K: 10, Filter: filters[0]}},
		Ks:       []int{10},
		Filters:  filters, FilterK: 10, Counts: []*assay.Filter{},
		Without: []string{"TestWrongDimension", "TestListing", "TestListingVectors", "TestFetching", "TestListingStops", "TestExact"},
	}).Run(t)
}
