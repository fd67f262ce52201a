// Package archtest holds no code, only tests that keep the house in order: which room may import which (the table in
// house_test.go), how long a file may grow, that each package says what it is for, and what no file may contain.
//
// The table is the authority on the import rules. A new package that fits no room fails the tests until somebody has
// written down where it belongs and what it may know about.
package archtest
