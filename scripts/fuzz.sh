#!/usr/bin/env bash
# fuzz.sh [TIME]: every fuzz target of the module for TIME (default 10s), one after the other. A crasher that it finds is
# left in the package's testdata/fuzz, where `go test` tries it ever after.
set -euo pipefail
cd "$(dirname "$0")/.."

time=${1:-10s}
failed=0
while read -r package target; do
	echo "fuzzing $package $target for $time"
	go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" "$package" || failed=1
done < <(go test -list '^Fuzz' ./... | awk '/^Fuzz/ { targets[++n] = $1 } /^ok/ { while (n) print $2, targets[n--] }')
exit "$failed"
