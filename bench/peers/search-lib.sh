# Sourced by bm25.sh and exact.sh: the peers' own Python, the programs, one thread where one is meant.
set -eu
cd "$(dirname "$0")/../.."
shared=${ASSAY_SHARED:-../shared}
rounds=${ROUNDS:-5}
venv=.parts/peers
python=$venv/bin/python

# Set on some machines to keep old processors safe, it makes the peers slower than they are.
unset OPENBLAS_CORETYPE
export PYTHONWARNINGS=ignore

if ! cmp -s bench/peers/requirements-search.txt "$venv/requirements-search.txt" 2>/dev/null; then
	[ -x "$python" ] || python3 -m venv "$venv"
	"$python" -m pip install --quiet -r bench/peers/requirements-search.txt
	cp bench/peers/requirements-search.txt "$venv/"
fi
mkdir -p "$venv/bin"
grep -m1 'model name' /proc/cpuinfo || true
echo "cores $(nproc), load $(cut -d' ' -f1-3 /proc/loadavg)"
