package draft

import (
	"fmt"
	"strings"

	"github.com/assay-eval/assay/internal/discover"
	"github.com/assay-eval/assay/internal/plural"
)

// mostListed bounds the models and collections that one note names.
const mostListed = 8

// servers notes what answered and what did not.
func (d *Draft) servers(found discover.Found) {
	for i := range found.Servers {
		s := &found.Servers[i]
		text := s.Product + " at " + s.URL
		if s.From != "usual address" {
			text += " (" + s.From + ")"
		}
		var items []string
		for _, m := range s.Models {
			items = append(items, m.Name+ability(m))
		}
		for _, c := range s.Collections {
			items = append(items, describe(c))
		}
		if n := len(items); n > mostListed {
			items = append(items[:mostListed], fmt.Sprintf("and %d more", n-mostListed))
		}
		switch {
		case len(items) > 0:
			text += ": " + strings.Join(items, ", ")
		case s.Problem == "":
			text += ": nothing in it"
		}
		if s.Problem != "" {
			text += "; " + s.Problem
		}
		d.note(Found, s.Kind, text)
	}
	if len(found.Servers) == 0 && len(found.Absent) == 0 && len(found.Looked) > 0 {
		d.note(Unknown, "servers", "none answers at "+strings.Join(found.Looked, ", ")+"; one elsewhere is named with --at URL")
	}
	for _, a := range found.Absent {
		d.note(Unknown, a.From, a.URL+": "+a.Reason)
	}
}

func ability(m discover.Model) string {
	switch {
	case m.Embeds && m.Dimension > 0:
		return " (" + plural.Count(m.Dimension, "dimension") + ")"
	case m.Embeds:
		return " (embeds)"
	case m.Chats:
		return " (writes)"
	}
	return ""
}

func describe(c discover.Collection) string {
	var of []string
	if c.Count >= 0 {
		of = append(of, plural.Count(c.Count, "chunk"))
	}
	if c.Dimension > 0 {
		of = append(of, plural.Count(c.Dimension, "dimension"))
	}
	if c.Distance != "" {
		of = append(of, c.Distance)
	}
	return name(c) + " (" + strings.Join(of, ", ") + ")"
}

// name is a collection with its vector.
func name(c discover.Collection) string {
	if c.Using == "" {
		return c.Name
	}
	return c.Name + "/" + c.Using
}
