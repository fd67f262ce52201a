"""Runs two programs in turn and compares the numbers they print.

    alternate.py ROUNDS OURS_COMMAND -- PEER_COMMAND

Each command prints one JSON object of numbers. Runs alternate (ours, peer, ours, peer, ...), so that whatever else the
machine does falls on both. The table gives the median of each number, the range, and the ratio of the medians with the
smallest and largest ratio of neighbouring runs.
"""

import json
import statistics
import subprocess
import sys


def run(command):
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)


def main():
    rounds, commands = int(sys.argv[1]), sys.argv[2:]
    cut = commands.index("--")
    ours, peer = [], []
    for i in range(rounds):
        print(f"round {i + 1} of {rounds}", file=sys.stderr)
        ours.append(run(commands[:cut]))
        peer.append(run(commands[cut + 1 :]))
    print("| figure | assay | peer | assay / peer |\n| --- | --- | --- | --- |")
    for key in ours[0]:
        a, b = [r[key] for r in ours], [r[key] for r in peer if key in r]
        ratio = "–"
        if b:
            pairs = [x / y for x, y in zip(a, b)]
            ratio = f"{statistics.median(a) / statistics.median(b):.2f} ({min(pairs):.2f}–{max(pairs):.2f})"
        print(f"| {key} | {show(a)} | {show(b) if b else '–'} | {ratio} |")


def show(values):
    middle, low, high = statistics.median(values), min(values), max(values)
    return f"{middle:,.4g}" if low == high else f"{middle:,.4g} ({low:,.4g}–{high:,.4g})"


main()
