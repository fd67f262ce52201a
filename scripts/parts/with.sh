#!/usr/bin/env bash
# with.sh COMMAND [ARG...]: starts the installed servers, tells COMMAND where they are (ASSAY_TEST_… in its environment),
# runs it, stops them, and exits with its exit code. To keep servers running between runs: up.sh.
set -euo pipefail
# shellcheck source=scripts/parts/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=scripts/parts/servers.sh
. "$here/servers.sh"

if [ $# = 0 ]; then
	echo "usage: $0 COMMAND [ARG...]" >&2
	exit 2
fi

# TERM and HUP have no trap on purpose: bash would hold it back until COMMAND has ended, while without one it leaves at
# once through EXIT. COMMAND is then still there and is told to stop as well.
# shellcheck disable=SC2317
finish() {
	local children
	read -r -a children 2>/dev/null <"/proc/$$/task/$$/children" || true
	kill -TERM "${children[@]}" 2>/dev/null || true
	stop_run
}

use_run "with-$$"
sweep_runs
trap finish EXIT

start_all >"$run/env"
# shellcheck source=/dev/null
. "$run/env"
code=0
"$@" || code=$?
if [ "$code" = 0 ]; then
	rm -rf "$log"
else
	say "logs of the servers: $log"
fi
exit "$code"
