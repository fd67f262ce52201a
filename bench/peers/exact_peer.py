"""faiss IndexFlatIP over a file of unit vectors: prints what bench/peers/exact prints.

    exact_peer.py make FILE N DIM       writes N vectors and 256 queries
    exact_peer.py measure FILE N DIM
"""

import json
import math
import statistics
import sys
import time

import faiss
import numpy as np

QUERIES, K = 256, 100


def make(path, n, dim):
    rng = np.random.default_rng(1)
    with open(path, "wb") as f:
        for rows in [n, QUERIES]:
            v = rng.standard_normal((rows, dim), dtype=np.float32)
            (v / np.linalg.norm(v, axis=1, keepdims=True)).tofile(f)


def measure(path, n, dim):
    v = np.fromfile(path, dtype=np.float32).reshape(n + QUERIES, dim)
    queries = v[n:]
    index = faiss.IndexFlatIP(dim)
    index.add(v[:n])
    threads = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(1)
    index.search(queries[:1], K)
    walls, cpus = [], []
    for i in range(40):
        wall, used = time.perf_counter(), time.process_time()
        index.search(queries[i : i + 1], K)
        cpus.append(time.process_time() - used)
        walls.append(time.perf_counter() - wall)
    faiss.omp_set_num_threads(threads)
    best = cpu = math.inf
    for _ in range(5):
        wall, used = time.perf_counter(), time.process_time()
        _, found = index.search(queries, K)
        cpu = min(cpu, time.process_time() - used)
        best = min(best, time.perf_counter() - wall)
    print(json.dumps({
        "one query, ms": 1e3 * statistics.median(walls),
        "one query, fastest, ms": 1e3 * min(walls),
        "one query, ms of processor time": 1e3 * statistics.median(cpus),
        "256 queries, queries / s": QUERIES / best,
        "256 queries, queries / s of processor time": QUERIES / cpu,
        "first hits, sum of indexes": int(found[:, 0].sum()),
    }))


if sys.argv[1] == "make":
    make(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
else:
    measure(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
