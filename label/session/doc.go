// Package session hands passages to people for judgment and keeps what they say.
//
// It is opinionated about five things. A rater is blind: what is handed out names no system, rank, score or grade of anybody
// else. An answer is in the label file before the next item is shown, so a crash costs nothing. What is still to do follows
// from the label file alone, so a session has no state of its own to lose and several people may join or leave. Whether people
// agree is measured along the way: a share of the items is given to a second person, a few are asked again of the same one,
// and neither can be told from the rest. And a disagreement is settled beside the judgments it settles, never over them.
package session
