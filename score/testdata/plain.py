import json
gold = [json.loads(l) for l in open("plain_pairs.jsonl")]
runs = {r["query"]: r["ids"] for r in map(json.loads, open("plain_rankings.jsonl"))}
def recall(k):
    return sum(g["relevant_chunk_id"] in runs[g["query"]][:k] for g in gold) / len(gold)
print(json.dumps({"recall@10": recall(10), "recall@1": recall(1)}))
