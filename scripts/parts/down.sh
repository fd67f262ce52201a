#!/usr/bin/env bash
# Stops what up.sh started.
set -euo pipefail
# shellcheck source=scripts/parts/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=scripts/parts/servers.sh
. "$here/servers.sh"

use_run up
stop_run
rm -f "$parts/env"
