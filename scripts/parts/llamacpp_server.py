"""llamacpp_server.py chat|embed|rerank GGUF NAME PORT: llama.cpp's OpenAI-compatible server on a loopback port, until killed."""

import os
import signal
import sys

import xllamacpp

# The chat model is a base model: it continues text and knows no roles. Any chat template makes it babble, so the
# messages reach it as they are, the same as through Ollama's `{{ .Prompt }}`.
PLAIN = "{% for message in messages %}{{ message.content }}{% endfor %}"


def params(kind: str, gguf: str, name: str, port: int) -> xllamacpp.CommonParams:
    p = xllamacpp.CommonParams()
    p.model.path = gguf
    p.model_alias = {name}
    p.hostnames = ["127.0.0.1"]
    p.port = port
    p.cpuparams.n_threads = os.cpu_count() or 1
    p.warmup = False
    if kind != "chat":
        pooling = xllamacpp.llama_pooling_type
        p.embedding = True
        # No rerank model small enough is in a registry. An embedding model under rank pooling opens the endpoint; it has
        # no head that judges relevance, so that its scores say nothing but always the same of the same pair.
        p.pooling_type = pooling.LLAMA_POOLING_TYPE_RANK if kind == "rerank" else pooling.LLAMA_POOLING_TYPE_MEAN
        p.n_parallel = 1
        # An encoder sees a text in one piece: the batch has to hold the longest text the model takes.
        p.n_ctx = p.n_batch = p.n_ubatch = 512
    else:
        p.n_parallel = 2
        p.n_ctx = 2 * 4096
        p.chat_template = PLAIN
    return p


def main() -> None:
    kind, gguf, name, port = sys.argv[1:5]
    if kind not in ("chat", "embed", "rerank"):
        sys.exit(f"unknown kind {kind!r}: chat, embed or rerank")
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    server = xllamacpp.Server(params(kind, gguf, name, int(port)))
    print(f"{kind} model {name} at {server.listening_address}", flush=True)
    while True:
        signal.pause()


if __name__ == "__main__":
    main()
