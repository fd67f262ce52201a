package bm25_test

import (
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector/bm25"
	"github.com/assay-eval/assay/connector/connectortest"
)

func TestContract(t *testing.T) {
	(&connectortest.Suite{Open: func(t *testing.T) assay.Retriever {
		return build(t, connectortest.Chunks(), bm25.Default())
	}}).Run(t)
}
