// Package doctor examines a retrieval set-up before anything is measured. Most reports of a bad retriever are
// about a prefix that was forgotten, a text that was cut, an index that was half built: faults that raise no
// error and only make every number wrong.
//
// It is opinionated about four things. It believes what it measures on the user's own chunks and queries,
// not what a server or a model's card says of itself. A finding names what it does to the numbers and a
// command or a line of configuration that mends it. What could not be looked at is said so, with the
// reason, and never counts as healthy. And it only reads, with work bounded by a sample.
//
// Each check is one file and answers one question; Checks lists them. What a check needs of other rooms
// (what prefixes a model was trained with, which texts are near-duplicates) comes in the Setup as plain
// data or a function.
package doctor
