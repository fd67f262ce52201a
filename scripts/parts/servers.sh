# Sourced after lib.sh: starts the installed servers on free loopback ports and stops them again.
# shellcheck shell=bash disable=SC2154
#
# One set of servers is called a run. Its pids and Chroma's data are in $parts/run/<id>, its logs in $parts/log/<id>.
# Each server leads a session of its own (setsid): a Ctrl-C in the terminal reaches the tests but not the servers they
# are still talking to, and a whole server, helper processes included, ends with one signal to its group.


# Put before a server's command, this ends the server when the shell that started it is gone, killed outright included.
# up.sh empties it: its servers are to outlive it.
mortal=()
if setpriv --pdeathsig TERM true 2>/dev/null; then
	mortal=(setpriv --pdeathsig TERM)
fi

use_run() {
	run=$parts/run/$1
	log=$parts/log/$1
	mkdir -p "$run" "$log"
}

free_port() {
	python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# launch NAME HEALTH COMMAND... starts COMMAND with every {port} replaced by a free port, waits until it is ready, and leaves
# its address in $url. HEALTH is a path that then answers 200, or postgres://USER. Another process may take the port
# first, hence a second and a third try.
launch() {
	local name=$1 health=$2 port pid
	shift 2
	for _ in 1 2 3; do
		port=$(free_port)
		url=http://127.0.0.1:$port
		case $health in postgres:*)
			url=$health@127.0.0.1:$port
			health=
			;;
		esac
		setsid "${mortal[@]}" "${@//\{port\}/$port}" >"$log/$name.log" 2>&1 </dev/null &
		pid=$!
		echo "$pid" >"$run/$name.pid"
		if python3 "$here/wait_ready.py" "$url$health" "$pid" 120; then
			return 0
		fi
		stop_pid "$pid"
	done
	rm -f "$run/$name.pid"
	say "$name did not start; the end of $log/$name.log:"
	tail -n 20 "$log/$name.log" >&2
	return 1
}

stop_pid() {
	kill -TERM -- "-$1" 2>/dev/null || return 0
	for _ in $(seq 50); do
		kill -0 -- "-$1" 2>/dev/null || return 0
		sleep 0.1
	done
	kill -KILL -- "-$1" 2>/dev/null || true
}

# stop_run ends the servers of the run and drops their data. The logs stay: they are small and explain a failed test.
stop_run() {
	local file pid
	for file in "$run"/*.pid; do
		[ -e "$file" ] || continue
		pid=$(cat "$file")
		# After a reboot the number may belong to somebody else: signal only what was started from this folder.
		if tr '\0' '\n' 2>/dev/null <"/proc/$pid/cmdline" | grep -qF "$parts/"; then
			stop_pid "$pid"
		fi
	done
	rm -rf "$run"
}

# sweep_runs clears up after a with.sh or install.sh that was killed outright, and drops logs that are a week old.
sweep_runs() {
	local dir
	find "$parts/log" -mindepth 1 -maxdepth 1 -type d -name '*-*' -mtime +7 -exec rm -rf {} +
	for dir in "$parts"/run/*-*; do
		if [ -d "$dir" ] && [ ! -e "/proc/${dir##*-}" ]; then
			(use_run "${dir##*/}" && stop_run)
		fi
	done
}

start_ollama() {
	mkdir -p "$parts/ollama"
	launch ollama /api/version env HOME="$parts/ollama" OLLAMA_HOST="127.0.0.1:{port}" OLLAMA_MODELS="$parts/ollama/models" \
		OLLAMA_NOPRUNE=1 OLLAMA_KEEP_ALIVE=1h OLLAMA_MAX_LOADED_MODELS=2 OLLAMA_NUM_PARALLEL=1 OLLAMA_CONTEXT_LENGTH=4096 \
		"$ollama" serve
}

start_chroma() {
	launch chroma /api/v2/heartbeat env ANONYMIZED_TELEMETRY=False DO_NOT_TRACK=1 \
		"$venv/bin/chroma" run --path "$run/chroma" --host 127.0.0.1 --port "{port}"
}

# Postgres refuses to run as root, so root lends it another name. The signal that mortal asks for is forgotten when the name
# changes, hence the order.
start_postgres() {
	local data=$run/postgres as=()
	mkdir -p "$data"
	if [ "$(id -u)" = 0 ]; then
		as=(setpriv --reuid=nobody --regid=nogroup --clear-groups)
		chown nobody:nogroup "$data"
	fi
	# From / because the folder of the caller may be closed to that name.
	if ! (cd / && "${as[@]}" "$postgres/bin/initdb" -D "$data" -U assay -A trust -E UTF8 --locale=C --no-sync) >"$log/initdb.log" 2>&1; then
		say "initdb failed; the end of $log/initdb.log:"
		tail -n 20 "$log/initdb.log" >&2
		return 1
	fi
	# What is lost in a crash is thrown away anyway.
	launch postgres postgres://assay "${as[@]}" "${mortal[@]}" "$postgres/bin/postgres" -D "$data" -p "{port}" \
		-c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off -c full_page_writes=off -c max_connections=50
}

start_llamacpp() { # chat|embed|rerank, GGUF, alias
	launch "llamacpp-$1" /health "$venv/bin/python" "$here/llamacpp_server.py" "$1" "$2" "$3" "{port}"
}

# start_all starts every installed server and prints the environment by which the tests find them. A part that is not
# installed is left out (install.sh has said so); one that is installed and does not start is an error.
start_all() {
	if have_chroma; then
		start_chroma || return 1
		echo "export ASSAY_TEST_CHROMA_URL=$url"
	fi
	if have_postgres; then
		start_postgres || return 1
		echo "export ASSAY_TEST_POSTGRES_URL=$url/postgres"
	fi
	if have_ollama; then
		start_ollama || return 1
		echo "export ASSAY_TEST_OLLAMA_URL=$url"
		echo "export ASSAY_TEST_OLLAMA_EMBED=$embed_model"
		echo "export ASSAY_TEST_OLLAMA_CHAT=$chat_model"
	fi
	if have_llamacpp && have_chat_gguf; then
		start_llamacpp chat "$chat_gguf" "$chat_model" || return 1
		echo "export ASSAY_TEST_LLAMACPP_CHAT_URL=$url/v1"
	fi
	if have_llamacpp && have_ollama; then # the GGUF of the embedding model is written by Ollama
		start_llamacpp embed "$embed_gguf" "$embed_model" || return 1
		echo "export ASSAY_TEST_LLAMACPP_EMBED_URL=$url/v1"
		start_llamacpp rerank "$embed_gguf" "$embed_model" || return 1
		echo "export ASSAY_TEST_LLAMACPP_RERANK_URL=$url/v1"
	fi
}
