// Package project puts the rooms together for one assay.yaml: models behind their cache, the corpus and
// its chunks, the systems under test, the test set, the runs. Everything is opened when it is first
// needed, so that a command pays only for what it uses.
package project
