"""wait_http.py URL PID SECONDS: exit 0 once URL answers 200, 1 when process PID is gone or SECONDS have passed."""

import os
import signal
import sys
import time
import urllib.error
import urllib.request

# A proxy set for the machine must not see requests to a loopback address.
OPEN = urllib.request.build_opener(urllib.request.ProxyHandler({})).open


def answers(url: str) -> bool:
    try:
        with OPEN(url, timeout=2) as reply:
            return reply.status == 200
    except (urllib.error.URLError, OSError):
        return False


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:  # a zombie still has a pid
        return stat.read().rpartition(")")[2].split()[0] != "Z"


def main() -> int:
    url, pid, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        # Order matters: an answer counts only from the process that was started, not from a stranger on its port.
        ready = answers(url)
        try:
            if not alive(pid):
                return 1
        except FileNotFoundError:
            return 1
        if ready:
            return 0
        time.sleep(0.1)
    return 1


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C while waiting: no traceback
    sys.exit(main())
