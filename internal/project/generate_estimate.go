package project

import (
	"context"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/generate"
)

// Estimate is what a generation would cost, from questions that were asked to find out. Their replies are in
// the cache, so that the generation itself does not pay for them again.
type Estimate struct {
	Requested int         `json:"requested"`
	Produced  int         `json:"produced"` // in the test set already
	Chunks    ChunkCounts `json:"chunks"`
	Precision *Precision  `json:"precision,omitempty"` // of as many queries as are wanted
	Probe     Cost        `json:"probe"`               // measured
	Least     *Cost       `json:"least,omitempty"`     // every question passes
	Likely    *Cost       `json:"likely,omitempty"`    // as many pass as did so far; absent before minKnownYield were asked
	Most      *Cost       `json:"most,omitempty"`      // the sample is used up
}

// Cost is calls to the model and what goes with them.
type Cost struct {
	Questions    int     `json:"questions"`
	Calls        int     `json:"calls"`
	PromptTokens int     `json:"prompt_tokens"`
	OutputTokens int     `json:"output_tokens"`
	Minutes      float64 `json:"minutes"`
}

// The probe asks this many questions, and looks through so many for some that are not in the cache yet.
const (
	probeQuestions = 3
	maxProbed      = 60
	minKnownYield  = 20 // questions asked before their yield is taken for the rest
)

// EstimateGeneration asks a few questions as the request would and keeps none of them. A method without a
// model costs nothing and is not probed.
func (p *Project) EstimateGeneration(ctx context.Context, req GenerateRequest) (Estimate, error) {
	g, err := p.prepare(ctx, req)
	if err != nil {
		return Estimate{}, err
	}
	o := g.options
	req = g.req
	e := Estimate{Requested: req.Sample, Produced: o.Have, Chunks: g.chunks, Precision: g.precisionOfPlan(o.Chunks, max(o.Have, req.Sample))}
	left, sample, asked := 0, o.Chunks, o.Have
	per := max(1, req.PerChunk)
	for i := range sample {
		left += per - g.done.count(sample[i].ID, per)
	}
	rejected, err := countRejects(g)
	if err != nil {
		return e, err
	}
	asked += rejected
	wanted := min(left, max(0, req.Sample-o.Have))
	if g.meter == nil || wanted == 0 {
		return e, nil
	}
	if err := e.probe(ctx, g); err != nil || e.Probe.Calls == 0 {
		return e, err
	}
	least, most := e.Probe.times(wanted), e.Probe.times(left)
	e.Least, e.Most = &least, &most
	if asked >= minKnownYield && o.Have > 0 {
		likely := e.Probe.times(min(left, wanted*asked/o.Have))
		e.Likely = &likely
	}
	return e, nil
}

// probe takes questions through the whole chain until enough of them reached the model.
func (e *Estimate) probe(ctx context.Context, g *generation) error {
	o := g.options
	o.Want, o.Have, o.Workers = maxProbed, 0, 1 // as many as there are; the calls are what is measured
	o.SetRules, o.Existing, o.Taken = nil, nil, nil
	o.Keep = func(generate.Accepted) error { return nil }
	o.Reject = func(generate.Reject) error { return nil }
	probed := 0
	for _, c := range g.options.Chunks {
		if per := max(1, o.PerChunk); g.done.count(c.ID, per) == per {
			continue
		}
		before := g.meter.calls.Load()
		o.Chunks = []assay.Chunk{c}
		rep, err := generate.Run(ctx, o)
		if err != nil {
			return err
		}
		if rep.Stopped != "" {
			break
		}
		if g.meter.calls.Load() > before {
			e.Probe.Questions += rep.Asked
		}
		if probed++; e.Probe.Questions >= probeQuestions || probed == maxProbed {
			break
		}
	}
	e.Probe.Calls = int(g.meter.calls.Load())
	e.Probe.PromptTokens, e.Probe.OutputTokens = int(g.meter.prompt.Load()), int(g.meter.output.Load())
	e.Probe.Minutes = float64(g.meter.nanos.Load()) / 6e10
	return nil
}

// times is the cost of so many questions at the rate of the probe.
func (c Cost) times(questions int) Cost {
	f := float64(questions) / float64(max(1, c.Questions))
	scale := func(n int) int { return int(float64(n)*f + 0.5) }
	return Cost{questions, scale(c.Calls), scale(c.PromptTokens), scale(c.OutputTokens), c.Minutes * f}
}

// countRejects counts the questions of this kind that earlier calls refused.
func countRejects(g *generation) (int, error) {
	n := 0
	for _, err := range sameRejects(g.rejects, g.options.Writer.Origin()) {
		if err != nil {
			return 0, err
		}
		n++
	}
	return n, nil
}
