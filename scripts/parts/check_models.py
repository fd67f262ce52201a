"""check_models.py ollama|openai URL EMBED CHAT: ask both models one question and judge the answers.

The vector is held against the published one of all-MiniLM-L6-v2: a wrongly pooled model answers too, only wrongly.
Under `openai` URL is the base with /v1; EMBED or CHAT may be "-" where a server offers only the other.
"""

import json
import sys
import urllib.request

OPEN = urllib.request.build_opener(urllib.request.ProxyHandler({})).open
HELLO_WORLD = [-0.0345, 0.0309, 0.0067]  # the first of 384 numbers for the text "hello world"
PROMPT = "Question: What is the capital of Germany? Answer: Berlin\nQuestion: What is the capital of France? Answer:"


def post(url: str, body: dict) -> dict:
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with OPEN(request, timeout=120) as reply:
        return json.load(reply)


def vector(api: str, url: str, model: str) -> list[float]:
    if api == "ollama":
        return post(url + "/api/embed", {"model": model, "input": "hello world"})["embeddings"][0]
    return post(url + "/embeddings", {"model": model, "input": "hello world"})["data"][0]["embedding"]


def answer(api: str, url: str, model: str) -> str:
    messages = [{"role": "user", "content": PROMPT}]
    if api == "ollama":
        options = {"temperature": 0, "num_predict": 4}
        body = {"model": model, "messages": messages, "stream": False, "options": options}
        return post(url + "/api/chat", body)["message"]["content"]
    body = {"model": model, "messages": messages, "temperature": 0, "max_tokens": 4}
    return post(url + "/chat/completions", body)["choices"][0]["message"]["content"]


def main() -> None:
    api, url, embed, chat = sys.argv[1:5]
    if embed != "-":
        got = vector(api, url, embed)
        if len(got) != 384 or any(abs(g - w) > 0.001 for g, w in zip(got, HELLO_WORLD)):
            sys.exit(f"{embed} at {url}: 'hello world' gives {len(got)} numbers, {got[:3]}, published: {HELLO_WORLD}")
        print(f"{embed} at {url}: hello world = {[round(x, 4) for x in got[:3]]}")
    if chat != "-":
        got = answer(api, url, chat)
        if "Paris" not in got:
            sys.exit(f"{chat} at {url}: the capital of France is {got!r}")
        print(f"{chat} at {url}: the capital of France is {got.strip()!r}")


if __name__ == "__main__":
    main()
