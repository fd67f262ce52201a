#!/usr/bin/env bash
# Starts the installed servers and leaves them running. Afterwards:
#
#	. .parts/env && go test ./...
#
# down.sh stops them. A second up.sh starts them anew.
set -euo pipefail
# shellcheck source=scripts/parts/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=scripts/parts/servers.sh
. "$here/servers.sh"

mortal=()
use_run up
stop_run
use_run up
if ! start_all >"$run/env"; then
	stop_run
	exit 1
fi
mv "$run/env" "$parts/env"
say "running; environment in $parts/env"
