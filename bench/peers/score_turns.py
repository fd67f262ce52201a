"""Runs the scorers in turn and prints a table: score_turns.py ROUNDS ASSAY PYTHON DATA PEER...

Wall time, processor time and peak memory are those of the process, start-up included. A busy machine shows in the wall
times; the processor times then say more. Ratios are medians over neighbouring runs, with the smallest and the largest.
"""

import os
import statistics
import subprocess
import sys
import time

rounds, assay, python, data, *peers = int(sys.argv[1]), *sys.argv[2:]
qrels, run = os.path.join(data, "qrels.txt"), os.path.join(data, "run.txt")
here = os.path.dirname(os.path.abspath(__file__))
wanted = ["-m", "map", "-m", "recip_rank", "-m", "ndcg_cut.10", "-m", "recall.100", "-m", "P.10"]
commands = {
    "assay": [assay, "score", qrels, run, "--format", "trec", *wanted],
    "assay, table with intervals": [assay, "score", qrels, run, *wanted],
    "wc": ["wc", "-l", run],
}
for peer in peers:
    commands.setdefault(peer, [python, os.path.join(here, "score_peer.py"), peer, qrels, run])


def measure(command):
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{command[0]} failed")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


names = ["assay", "assay, table with intervals", *peers]
results = {name: [] for name in names}
for i in range(rounds):
    print(f"round {i + 1} of {rounds}", file=sys.stderr)
    for name in names:
        results[name].append(measure(commands[name]))


def spread(values, digits):
    return f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f}–{max(values):.{digits}f})"


print("| program | wall s | processor s | peak MB | wall / assay | processor / assay |")
print("| --- | --- | --- | --- | --- | --- |")
for name in names:
    columns = list(zip(*results[name]))
    ratios = [[b[k] / a[k] for a, b in zip(results["assay"], results[name])] for k in (0, 1)]
    print(f"| {name} | {spread(columns[0], 3)} | {spread(columns[1], 3)} | {statistics.median(columns[2]):.0f} "
          f"| {spread(ratios[0], 2)} | {spread(ratios[1], 2)} |")
