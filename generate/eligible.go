package generate

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"github.com/assay-eval/assay"
)

// The least words of prose a chunk must have. A simulated query needs words to draw, a written one needs
// something to ask about.
const (
	MinWords      = 12 // for known-item queries
	MinProseWords = 40 // for written questions
)

// MaxBytes is the most that a chunk may have with its title: some 50,000 tokens, more than a model reads here, and no passage any more.
const MaxBytes = 200_000

// minAlphabetic is the share of letters among the characters that are no white space: below it, a chunk is
// a table of numbers, code or markup.
const minAlphabetic = 0.6

// Ineligible says why a chunk is not worth asking about, or "": too short or too long, not prose, or text that stands
// on every page. The reasons are few and fixed, so that they can be counted. It is rule 1 of the chain;
// near-duplicates are left to the sample.
func Ineligible(c *assay.Chunk, minWords int) string {
	if len(c.Title)+len(c.Text) > MaxBytes {
		return fmt.Sprintf("over %d kB", MaxBytes/1000)
	}
	n, letters := 0, 0
	for _, w := range Words(c.Text) {
		n++
		if strings.IndexFunc(w, unicode.IsLetter) >= 0 {
			letters++
		}
	}
	switch {
	case n < minWords:
		return fmt.Sprintf("under %d words", minWords)
	case 2*letters < n || alphabetic(c.Text) < minAlphabetic:
		return "not prose"
	case boilerplate(c):
		return "contents, licence or changelog"
	}
	return ""
}

// alphabetic is the share of letters and combining marks among all characters but white space.
func alphabetic(text string) float64 {
	letters, all := 0, 0
	for _, r := range text {
		switch {
		case unicode.IsSpace(r):
			continue
		case unicode.IsLetter(r), unicode.IsMark(r):
			letters++
		}
		all++
	}
	return float64(letters) / float64(max(1, all))
}

// boilerplateTitle are the headings of what stands in every project and answers nobody's question. A heading
// "Licence" is not among them: what one costs is a good question.
var boilerplateTitle = regexp.MustCompile(`(?i)^(table of contents|contents|inhalt|inhaltsverzeichnis|changelog|change log|release notes|änderungen|versionshinweise|` +
	`impressum|imprint|index|stichwortverzeichnis|literaturverzeichnis|cookie (policy|notice))$`)

// boilerplateText are sentences of licences and notices. One is enough: nobody else writes them.
var boilerplateText = regexp.MustCompile(`(?i)(permission is hereby granted, free of charge|licensed under the (apache|mit|gnu|mozilla)|gnu (lesser |affero )?general public licen[sc]e|` +
	`redistribution and use in source and binary forms|without warranties or conditions of any kind|the software is provided "?as is|all rights reserved|alle rechte vorbehalten|` +
	`this (web)?site uses cookies|diese (web)?seite verwendet cookies)`)

var (
	contentsLine = regexp.MustCompile(`^\s*([-*+]|\d+[.)])?\s*(\[[^\]]+\]\([^)]*\)|.*(\.{4,}|…{2,}|\s{3,})\s*\d+)\s*$`)
	versionLine  = regexp.MustCompile(`(?i)^\s*#*\s*\[?v?\d+\.\d+(\.\d+)?[^\s]*\]?\s*([-–(]|\d{4}-\d{2}|$)`)
)

// boilerplate reports whether a chunk is a table of contents, a changelog or a licence.
func boilerplate(c *assay.Chunk) bool {
	if boilerplateTitle.MatchString(strings.TrimSpace(lastTitle(c.Title))) || boilerplateText.MatchString(c.Text) {
		return true
	}
	lines, contents, versions := 0, 0, 0
	for line := range strings.Lines(c.Text) {
		line = strings.TrimRight(line, "\r\n")
		if strings.TrimSpace(line) == "" {
			continue
		}
		lines++
		if contentsLine.MatchString(line) {
			contents++
		}
		if versionLine.MatchString(line) {
			versions++
		}
	}
	return lines >= 4 && 2*contents > lines || versions >= 3
}

// lastTitle is the innermost heading of a title such as "Guide > Pages > Bin".
func lastTitle(title string) string {
	if i := strings.LastIndex(title, " > "); i >= 0 {
		return title[i+3:]
	}
	return title
}
