package doctor

import "fmt"

// finding tells apart what the comparison of a system's vectors shows.
func (c *comparison) finding(s *System) Finding {
	switch {
	case len(c.off) == 0:
		return c.lengths(s)
	case c.made != nil:
		return c.madeOtherwise(s)
	case c.elsewhere != nil:
		return c.elsewhere.finding(c)
	}
	f := Finding{Status: Fault, Found: fmt.Sprintf("%s are not what %s gives for the texts: cosine %.3f in the middle, where the same model has 1",
		c.share(), s.Embed.Name, c.disagree)}
	switch {
	case c.disagree < unlike:
		f.Cause = "wrong_model"
		f.Fix = fmt.Sprintf("another model of the same dimension made them: name it in models: and as systems.%s.embed, or embed all chunks again with %s", s.Name, s.Embed.Served)
	case c.disagree >= nearlySame:
		f.Status, f.Cause = Warning, "other_version"
		f.Effect = "small shifts in the order of what is close together"
		f.Fix = fmt.Sprintf("another quantization or version of %s made them, or its server rounds in another way: embed queries with what embedded the chunks, or all chunks again", s.Embed.Served)
	default:
		f.Cause = "other_text"
		f.Fix = fmt.Sprintf("what was embedded is not the text that is stored, or a prefix stood before it that is not known here: compare what your "+
			"ingestion sends to %s with the field that text: of systems.%s.retriever names", s.Embed.Served, s.Name)
	}
	return f
}

// nearlySame is the cosine from which another rounding of the weights is the likelier cause.
const nearlySame = 0.98

// share names how many of the sample's vectors disagree.
func (c *comparison) share() string {
	if len(c.off) == len(c.chunks) {
		return fmt.Sprintf("the stored vectors (all %d of the sample)", len(c.chunks))
	}
	return fmt.Sprintf("%d of %d stored vectors (such as that of %s)", len(c.off), len(c.chunks), c.chunks[c.off[0]].ID)
}

func (c *comparison) madeOtherwise(s *System) Finding {
	cause, words := c.made.differs(s)
	f := Finding{Status: Fault, Cause: cause, Found: fmt.Sprintf("%s were made with %s: that gives them with cosine %.3f, the configuration with %.3f",
		c.share(), words, c.explained, c.disagree)}
	part := len(c.off) < len(c.chunks)
	switch {
	case part:
		f.Found += "; the rest is as configured"
		f.Effect = "chunks of two kinds stand in one index: those of the other kind rank lower, or never, whatever they say"
		f.Fix = "embed these chunks again as the configuration says: they are from before or after a change of the ingestion"
	case cause == "wrong_model":
		f.Fix = fmt.Sprintf("embed: %s (in systems.%s)", c.made.model.Name, s.Name)
	case cause == "wrong_prefix" && c.made.prefix == "":
		f.Fix = fmt.Sprintf("embed all chunks again with the prefix %q, or take document_prefix out of models.%s if the model does without", s.Embed.Document, s.Embed.Name)
	case cause == "wrong_prefix":
		f.Fix = fmt.Sprintf("document_prefix: %q%s (in models.%s)", c.made.prefix, queryBeside(c.made.prefix, s.Embed), s.Embed.Name)
	default:
		f.Status, f.Effect = Warning, "none, as long as all chunks are embedded like that; assay's own dense index would embed something else"
		f.Fix = fmt.Sprintf("keep %s together in the ingestion, or embed the text alone everywhere", words)
	}
	return f
}

// queryBeside is the query prefix that goes with a document prefix, as a further setting.
func queryBeside(document string, m *Model) string {
	query := map[string]string{"search_document: ": "search_query: ", "passage: ": "query: "}[document]
	if m.Trained != nil && m.Trained.Document == document {
		query = m.Trained.query()
	}
	if query == "" || query == m.Query {
		return ""
	}
	return fmt.Sprintf(", query_prefix: %q", query)
}

// lengths is the finding when the directions agree: the lengths may still not.
func (c *comparison) lengths(s *System) Finding {
	uneven := c.longest-c.shortest > 2*unitLength*c.longest
	scaled := c.longest > c.length*(1+unitLength) || c.shortest < c.length*(1-unitLength)
	switch {
	case (uneven || scaled) && (c.distance == byDot || c.distance == byEuclid || c.distance == byManhattan) && !(c.distance == byDot && !uneven):
		return Finding{Status: Fault, Cause: "not_normalised",
			Found:  fmt.Sprintf("the stored vectors point where %s says, but have lengths from %.3g to %.3g where the model gives %.3g, and the index compares by %s", s.Embed.Name, c.shortest, c.longest, c.length, c.distance),
			Effect: "chunks rank by the length of their vectors as much as by meaning",
			Fix:    "normalise the vectors to length 1 when they are stored (Ollama: /api/embed does, /api/embeddings does not), or build the collection anew with cosine"}
	case uneven || scaled:
		return healthy("all %d of the sample are what %s gives (cosine %.4f); their lengths go from %.3g to %.3g, which %s does not mind", len(c.chunks), s.Embed.Name, c.median, c.shortest, c.longest, c.distance)
	}
	return healthy("all %d of the sample are what %s gives for their texts (cosine %.4f)", len(c.chunks), s.Embed.Name, c.median)
}
