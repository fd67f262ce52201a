// Package all is the list of the kinds of retriever that assay knows. It is written by hand and is a
// value: nothing registers itself, and what is not named here is not in the binary. Checking a
// configuration, building a retriever, `assay stores` and the reference documentation all derive from it.
package all

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/connector"
	"github.com/assay-eval/assay/connector/chroma"
	"github.com/assay-eval/assay/connector/command"
	"github.com/assay-eval/assay/connector/httpapi"
	"github.com/assay-eval/assay/connector/pgvector"
	"github.com/assay-eval/assay/connector/qdrant"
)

// Kinds lists every kind: those over the project's own documents first, then stores, then the rest.
func Kinds() connector.Registry {
	return connector.Registry{
		lexical(), dense(), fused(),
		connector.Define(connector.Kind{
			Name: qdrant.Kind, Help: "a Qdrant collection as deployed, over the REST query API; read-only",
			Verified:     "recorded traffic of Qdrant 1.17.1",
			Capabilities: assay.Capabilities{NeedsVector: true, ReturnsText: true, Filters: true, Native: true, Lists: true, Fetches: true, Counts: true, Exact: true, Inspects: true},
		}, openQdrant),
		connector.Define(connector.Kind{
			Name: chroma.Kind, Help: "a Chroma collection as deployed, over API v2; read-only",
			Verified:     "a real Chroma 1.5.9 in make test",
			Capabilities: assay.Capabilities{NeedsVector: true, ReturnsText: true, Filters: true, Native: true, Lists: true, Fetches: true, Counts: true, Inspects: true},
		}, openChroma),
		connector.Define(connector.Kind{
			Name: pgvector.Kind, Help: "a Postgres table with a pgvector column as deployed; read-only",
			Verified:     "a real Postgres 16.2 with pgvector 0.6.2 in make test",
			Capabilities: assay.Capabilities{NeedsVector: true, ReturnsText: true, Filters: true, Lists: true, Fetches: true, Counts: true, Exact: true, Inspects: true},
		}, openPgvector),
		connector.Define(connector.Kind{
			Name: httpapi.Kind, Help: "any HTTP endpoint, by a template for the request and JSON pointers for the reply",
			Verified:     "real HTTP services in make test",
			Capabilities: assay.Capabilities{ReturnsText: true, Filters: true, Native: true},
		}, openHTTP),
		connector.Define(connector.Kind{
			Name: command.Kind, Help: "a program that is kept running and answers JSON lines",
			Verified:     "real processes in make test",
			Capabilities: assay.Capabilities{ReturnsText: true, Filters: true, Native: true},
		}, openCommand),
	}
}

func openQdrant(s qdrant.Settings, env connector.Env) (assay.Retriever, error) {
	r, err := qdrant.New(s)
	if err != nil {
		return nil, err
	}
	return connector.Wrap(r, s.Policy(env.Retry)), nil
}

func openChroma(s chroma.Settings, env connector.Env) (assay.Retriever, error) {
	r, err := chroma.New(s)
	if err != nil {
		return nil, err
	}
	return connector.Wrap(r, s.Policy(env.Retry)), nil
}

func openPgvector(s pgvector.Settings, env connector.Env) (assay.Retriever, error) {
	r, err := pgvector.New(s)
	if err != nil {
		return nil, err
	}
	p := s.Policy(env.Retry)
	p.Timeout = s.Timeout // a session has no client that would keep it
	return connector.Wrap(r, p), nil
}

func openHTTP(s httpapi.Settings, env connector.Env) (assay.Retriever, error) {
	r, err := httpapi.New(s)
	if err != nil {
		return nil, err
	}
	return connector.Wrap(r, s.Policy(env.Retry)), nil
}

func openCommand(s command.Settings, env connector.Env) (assay.Retriever, error) {
	s.Dir = env.Dir
	r, err := command.New(s)
	if err != nil {
		return nil, err
	}
	p := s.Policy(env.Retry)
	p.Timeout = s.Timeout // a process has no client that would keep it
	return connector.Wrap(r, p), nil
}
