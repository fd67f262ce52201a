#!/bin/sh
# Exact search over random unit vectors beside faiss-cpu's IndexFlatIP: one query on one thread, and 256 queries on all
# cores. N=100000 vectors and DIM=384 by default; ROUNDS=5 runs of each.
. "$(dirname "$0")/search-lib.sh"
n=${N:-100000}
dim=${DIM:-384}
data=$venv/exact-$n-$dim.f32
[ -s "$data" ] || "$python" bench/peers/exact_peer.py make "$data" "$n" "$dim"
CGO_ENABLED=0 go build -o "$venv/bin/assay-exact" ./bench/peers/exact
"$python" bench/peers/alternate.py "$rounds" \
	"$venv/bin/assay-exact" "$data" "$n" "$dim" -- "$python" bench/peers/exact_peer.py measure "$data" "$n" "$dim"
