package draft

import "fmt"

// embedderNotes says what the model was chosen for, or why there is none.
func (d *Draft) embedderNotes(t *trial) {
	e, s := t.embedder, t.store
	if e == nil {
		d.note(Unknown, "embed", fmt.Sprintf("no model that was found gives vectors of %d dimensions: the system stays a comment until there is one", s.Dimension))
		return
	}
	over := fmt.Sprintf("over %d chunks", e.Chunks)
	switch e.Check {
	case Reproduced:
		d.note(Found, "embed", fmt.Sprintf("%s gives the stored vectors back: median cosine %.4f %s%s", e.Model, e.Cosine, over, behind(e.DocumentPrefix)))
	case Near:
		d.note(Guessed, "embed", fmt.Sprintf("%s nearly gives the stored vectors back: median cosine %.4f %s%s. The same model, it seems, on texts with something "+
			"in front (a title, a path), or another copy of it", e.Model, e.Cosine, over, behind(e.DocumentPrefix)))
	case Unchecked:
		d.note(Guessed, "embed", fmt.Sprintf("%s, for its dimension alone; not checked: %s", e.Model, e.Why))
	default:
		d.note(Unknown, "embed", fmt.Sprintf("%s has the dimension %d, and gives other vectors than are stored: median cosine %.4f %s. The collection was filled by "+
			"another model, so that the system stays a comment", e.Model, s.Dimension, e.Cosine, over))
		return
	}
	d.prefixNotes(e)
}

func behind(prefix string) string {
	if prefix == "" {
		return ", the text as it is"
	}
	return fmt.Sprintf(", each text behind %q", prefix)
}

func (d *Draft) prefixNotes(e *Embedder) {
	switch {
	case e.QueryPrefix != "" && e.DocumentPrefix != "" && e.Check == Reproduced:
		d.note(Guessed, "prefix", fmt.Sprintf("%q before queries, which belongs to %q before documents", e.QueryPrefix, e.DocumentPrefix))
	case e.QueryPrefix != "":
		d.note(Guessed, "prefix", fmt.Sprintf("%q before queries, as the card of %s asks for; whether your application does it, cannot be seen from here", e.QueryPrefix, e.family.Family))
	case e.known && e.family.Document != "" && e.DocumentPrefix == "":
		d.note(Unknown, "prefix", fmt.Sprintf("%s was trained with %q before documents, and these were embedded without: they would be found better with it", e.family.Family, e.family.Document))
	default:
		d.note(Unknown, "prefix", "whether your application puts a text before queries; none is written")
	}
}
