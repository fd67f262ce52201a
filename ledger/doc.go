// Package ledger keeps what was run: eval_results.jsonl, the history with one line a finished run, and
// runs/<id>/, everything a run produced.
//
// The history stays readable as the plain record {timestamp, config, metrics} that a ten-line script
// would write, and such a script's lines are history too. Lines are appended whole or not at all;
// run.json is renamed into place; a run that was killed is found again by its fingerprint and goes on.
package ledger
