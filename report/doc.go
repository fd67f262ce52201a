// Package report says what was found, once, and draws it in many ways.
//
// A Model is a report without a look: sections of notes, tables of typed cells, figures that hold data and no picture,
// and queries with their rankings. A run, a comparison, a gate and a history each become a Model in one file of this
// package, and each format (terminal, Markdown, HTML, SVG, CSV, JSON) draws any Model in one file. A new format is one new
// file; so is a new kind of report.
//
// It is opinionated about four things. A number keeps its type until it is drawn, so a mean is never parted from its
// interval and no renderer invents digits. Every figure makes its own table from the data it draws, so the two cannot
// disagree, and a person who cannot see the picture loses nothing. Whatever was left out to keep a page readable is
// counted on the page. And every text is foreign: chunks, queries and names are data, shown as they are, never
// interpreted by what shows them.
//
// Rendering is a function of the Model alone: same model, same bytes.
package report
