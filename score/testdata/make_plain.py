# Writes the input of TestPlainScript: a set of {"query","relevant_chunk_id"} pairs and a ranking a query.
import json, random
random.seed(7)
pairs, rankings = [], []
for i in range(60):
    gold, rank = f"chunk-{i}", random.choice([1, 1, 1, 2, 3, 5, 9, 10, 11, 0])
    ids = [f"other-{i}-{j}" for j in range(12)]
    if rank: ids[rank - 1] = gold
    pairs.append({"query": f"question {i}?", "relevant_chunk_id": gold})
    rankings.append({"query": f"question {i}?", "ids": ids})
open("plain_pairs.jsonl", "w").write("".join(json.dumps(p) + "\n" for p in pairs))
open("plain_rankings.jsonl", "w").write("".join(json.dumps(r) + "\n" for r in rankings))
