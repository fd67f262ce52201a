"""Scores a TREC run with one of the Python packages, from the two files to the means: score_peer.py PACKAGE QRELS RUN."""

import sys

package, qrels_file, run_file = sys.argv[1:]


def pytrec_eval():
    import pytrec_eval as pe

    with open(qrels_file) as f:
        qrels = pe.parse_qrel(f)
    with open(run_file) as f:
        run = pe.parse_run(f)
    measures = {"map", "recip_rank", "ndcg_cut.10", "recall.100", "P.10"}
    per_query = pe.RelevanceEvaluator(qrels, measures).evaluate(run)
    for name in ["map", "recip_rank", "ndcg_cut_10", "recall_100", "P_10"]:
        print(name, pe.compute_aggregated_measure(name, [q[name] for q in per_query.values()]))


def ir_measures():
    import ir_measures as ir
    from ir_measures import AP, RR, P, R, nDCG

    qrels, run = ir.read_trec_qrels(qrels_file), ir.read_trec_run(run_file)
    for name, value in ir.calc_aggregate([AP, RR, nDCG @ 10, R @ 100, P @ 10], qrels, run).items():
        print(name, value)


def ranx():
    from ranx import Qrels, Run, evaluate

    qrels, run = Qrels.from_file(qrels_file, kind="trec"), Run.from_file(run_file, kind="trec")
    print(evaluate(qrels, run, ["map", "mrr", "ndcg@10", "recall@100", "precision@10"], make_comparable=True))


{"pytrec_eval": pytrec_eval, "ir_measures": ir_measures, "ranx": ranx}[package]()
