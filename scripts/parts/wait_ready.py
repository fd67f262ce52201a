"""wait_ready.py URL PID SECONDS: exit 0 once URL answers 200 (postgres://USER@HOST:PORT: once it lets USER in), 1 when
process PID is gone or SECONDS have passed."""

import os
import signal
import socket
import struct
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

# A proxy set for the machine must not see requests to a loopback address.
OPEN = urllib.request.build_opener(urllib.request.ProxyHandler({})).open


def lets_in(url: str) -> bool:
    """Begins a session, in version 3.0 of the protocol: a server that is still starting up refuses it."""
    at = urllib.parse.urlsplit(url)
    message = struct.pack(">i", 3 << 16) + f"user\0{at.username}\0database\0postgres\0\0".encode()
    try:
        with socket.create_connection((at.hostname, at.port), timeout=2) as server:
            server.sendall(struct.pack(">i", len(message) + 4) + message)
            return server.recv(1) == b"R"
    except OSError:
        return False


def answers(url: str) -> bool:
    if url.startswith("postgres:"):
        return lets_in(url)
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
