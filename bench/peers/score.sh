#!/bin/sh
# Scoring a run of MS MARCO's size (6,980 queries by 1,000 documents, 280 MB) from files to a summary: assay beside
# pytrec_eval-terrier (trec_eval's own C code under Python), ir_measures, ranx, and wc -l for the floor. The programs
# take turns, ROUNDS=5 times, on all cores; the peers get a Python environment of their own in .parts.
#
#   bench/peers/score.sh            everything
#   PEERS="pytrec_eval wc" ROUNDS=3 bench/peers/score.sh
set -eu
cd "$(dirname "$0")/../.."
rounds=${ROUNDS:-5}
peers=${PEERS:-"pytrec_eval ir_measures ranx wc"}
venv=.parts/peers-score
python=$venv/bin/python
data=$venv/data

if ! cmp -s bench/peers/requirements-score.txt "$venv/requirements-score.txt" 2>/dev/null; then
	[ -x "$python" ] || python3 -m venv "$venv"
	"$python" -m pip install --quiet -r bench/peers/requirements-score.txt
	cp bench/peers/requirements-score.txt "$venv/"
fi
[ -s "$data/run.txt" ] || go run ./bench/gentrec -dir "$data"
CGO_ENABLED=0 go build -trimpath -o "$venv/bin/assay" ./cmd/assay

grep -m1 'model name' /proc/cpuinfo || true
echo "cores $(nproc), load $(cut -d' ' -f1-3 /proc/loadavg), $(go version | cut -d' ' -f3), $(ls -l "$data/run.txt" | awk '{print $5}') bytes"
cat "$data/run.txt" >/dev/null # into the page cache
"$python" bench/peers/score_turns.py "$rounds" "$venv/bin/assay" "$python" "$data" $peers
