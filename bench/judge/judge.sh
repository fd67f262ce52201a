#!/bin/sh
# 200 passages that people judged, judged by a local chat model: FOLDER is where (a new temporary one by default), and a second
# call with the same FOLDER goes on where the first stopped.
set -eu
: "${ASSAY_SHARED:?is the folder with data/cranfield}" "${ASSAY_TEST_LLAMACPP_CHAT_URL:?is the base URL of a chat model behind llama.cpp}"
folder=${FOLDER:-$(mktemp -d)}
mkdir -p "$folder"
go run ./bench/judge "$folder"
CGO_ENABLED=0 go build -o "$folder/assay" ./cmd/assay
cd "$folder"
[ -e assay.yaml ] || cat >assay.yaml <<EOF
corpus: {path: docs.jsonl, chunk: {by: none}}
systems:
  bm25: {retriever: {kind: bm25}, k: 5}
models:
  judge: {provider: openai, url: "$ASSAY_TEST_LLAMACPP_CHAT_URL", model: gemma3-270m, timeout: 10m}
judge: {model: judge, depth: 5}
measures: [ndcg@5]
EOF
./assay import topics.tsv qrels.txt --form trec --map 1=3,2=3,3=2,4=1 --who cranfield
./assay run --no-progress
./assay judge --only people --no-progress
./assay agree
echo "everything is in $folder"
