#!/usr/bin/env bash
# test.sh [-FLAG[=VALUE]|PACKAGE]...: go test on the packages (all of them unless told), printed as testsummary prints it.
set -euo pipefail
cd "$(dirname "$0")/.."

mkdir -p bin
go build -o bin/testsummary ./scripts/testsummary
packages=./...
for arg in "$@"; do
	case $arg in -*) ;; *) packages='' ;; esac
done
# The exit code is the worse of the two: pipefail hands on a failure of go test too.
# shellcheck disable=SC2086
go test -json "$@" $packages | bin/testsummary
