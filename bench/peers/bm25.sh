#!/bin/sh
# BM25 on SciFact beside bm25s with numba, one thread each, k = 100. ROUNDS=5 runs of each by default.
. "$(dirname "$0")/search-lib.sh"
CGO_ENABLED=0 go build -o "$venv/bin/assay-bm25" ./bench/peers/bm25
GOMAXPROCS=1 OMP_NUM_THREADS=1 NUMBA_NUM_THREADS=1 \
	"$python" bench/peers/alternate.py "$rounds" \
	"$venv/bin/assay-bm25" "$shared/data/scifact" -- "$python" bench/peers/bm25_peer.py "$shared/data/scifact"
