"""Servers of language models: weights in four bits (``int4``), tokens that a small network drafts (``speculative``)."""

import re

import numpy as np

from dlbricks.construct.generation import tokens_per_round
from dlbricks.profile.steps import DECODE
from dlbricks.trace.types import Longs
from dlbricks.units import shortened
from dlbricks.whatif.edit import scaled, with_durations
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, Phase, TaskKind, with_columns
from dlbricks.whatif.select import of_name
from dlbricks.whatif.served import in_phases, server_steps
from dlbricks.whatif.transform import Parameter, Transform, Values
from dlbricks.whatif.transforms.scaling import grown
from dlbricks.whatif.work import FOUR_BITS, KernelClass, Precision, classes, precisions, shares, weight_shares

_WEIGHT_BITS = {Precision.HALF: 16, Precision.EIGHT: 8, Precision.TENSOR_FLOAT: 32, Precision.SINGLE: 32}
_SCALE_BITS = 16
_SINGLE_IN_SERVERS = re.compile(r"sgemm|_f32|float,|fp32", re.IGNORECASE)
_LETTERS = 60
"""Of a kernel's name in a refusal."""
_SPECULATES = frozenset({"target_verify", "draft_extend"})
"""Modes of SGLang."""


def _products(graph: DependencyGraph) -> Longs:
    return np.flatnonzero((graph.kind == TaskKind.KERNEL) & (classes(graph) == KernelClass.MATRIX))


def _in_four_bits(graph: DependencyGraph, values: Values) -> DependencyGraph:
    """Read less of weights, in groups with a scale each; products compute as they did, on what was unpacked."""
    rows = _products(graph)
    kinds = precisions(graph)[rows]
    single = of_name(graph, _SINGLE_IN_SERVERS.search)[rows]
    bits = np.array([_WEIGHT_BITS[Precision(kind)] for kind in kinds.tolist()] or [16], np.float64)[: len(rows)]
    if any(server_steps(graph)):  # names of many kernels do not tell; servers compute in halves
        bits[(kinds == Precision.SINGLE) & ~single] = _WEIGHT_BITS[Precision.HALF]
    weights = np.nan_to_num(weight_shares(graph)[rows], nan=1.0)
    now = 1 - weights * (1 - (values["bits"] + _SCALE_BITS / values["group"]) / bits)
    return with_durations(graph, rows, shares(graph, rows).times_ns(np.full(len(rows), values["unpack"]), now))


def _cannot_shrink(graph: DependencyGraph, values: Values) -> str:
    products = _products(graph)
    if not len(products):
        return "it has no kernel that multiplies matrices"
    if (graph.phase == Phase.BACKWARD).any():
        return "it has a backward pass: weights in four bits are for inference"
    done = products[of_name(graph, FOUR_BITS.search)[products]]
    if 2 * int(graph.duration_ns[done].sum()) > int(graph.duration_ns[products].sum()):
        return f"its weights have four bits already, as in {shortened(graph.named(int(done[0])), _LETTERS)}"
    if not 2 <= values["bits"] <= 8:
        return "weights have 2 to 8 bits: give bits=4"
    return "" if values["unpack"] >= 1 else "unpacking makes no arithmetic quicker: give 1 or more"


INT4 = Transform(
    name="int4",
    title="Weights of products in four bits, unpacked where they are multiplied; activations stay as they are.",
    source="AWQ (MLSys 2024), MARLIN (PPoPP 2025): weights are read in four bits, arithmetic is that of halves",
    apply=_in_four_bits,
    parameters=(
        Parameter("bits", "count", "of a weight", "4"),
        Parameter("group", "count", "weights that share a scale of 16 bits", "128"),
        Parameter("unpack", "factor", "times as long the arithmetic takes, which unpacks weights", "1x"),
    ),
    requires=_cannot_shrink,
    ensures=lambda before, after, _: "" if len(before) == len(after) else "tasks came or went",
)
"""The memory part of a product's time shrinks by what a weight then has of bits. In steps of vLLM and SGLang that part
follows from the tokens of the step and the peaks of the device: nearly all when a few requests decode, little in a
prefill. Elsewhere all bytes of a product count as weights. Not modelled: other kernels, what smaller weights leave room
for.
"""


def _speculated(graph: DependencyGraph, values: Values) -> DependencyGraph:
    """Let decode steps verify so many tokens more, draft them before, and count for the tokens that a round makes."""
    ahead = int(values["ahead"])
    decodes = in_phases(graph, DECODE)
    kinds = classes(graph)
    wider = grown(graph, ahead + 1.0)
    kept = np.flatnonzero(~decodes | (kinds == KernelClass.ATTENTION) | (graph.kind != TaskKind.KERNEL))
    verifying = with_durations(wider, kept, graph.duration_ns[kept])
    made = tokens_per_round(ahead, values["accept"])
    share = (1 + ahead * values["draft"]) / made
    rows = np.flatnonzero(decodes)
    slower = scaled(with_columns(graph, duration_ns=verifying.duration_ns), rows, share, gaps=True)
    lags = np.array(slower.edge_lag_ns)
    inside = decodes[slower.edge_from] & decodes[slower.edge_to] & (slower.edge_kind != EdgeKind.RENDEZVOUS)
    lags[inside] = np.rint(lags[inside] * share).astype(np.int64)
    note = f"decode steps are told per token of a request: a round makes {made:.2f}"
    return with_columns(slower, note, edge_lag_ns=lags)


def _cannot_speculate(graph: DependencyGraph, values: Values) -> str:
    phases = {one.phase for one in server_steps(graph) if one is not None}
    if phases & _SPECULATES:
        return "its steps verify drafted tokens already"
    if DECODE not in phases:
        return "none of its steps is named as one of vLLM or SGLang that only decodes"
    if not (in_phases(graph, DECODE) & (graph.kind == TaskKind.KERNEL)).any():
        return "its decode steps have no kernels"
    return "" if values["accept"] < 1 else "not all drafted tokens are accepted: give accept=80%"


SPECULATIVE = Transform(
    name="speculative",
    title="A small network drafts tokens, which the large one verifies in one step (speculative decoding).",
    source="Leviathan, Kalman, Matias (ICML 2023): tokens are accepted independently of each other",
    apply=_speculated,
    parameters=(
        Parameter("ahead", "count", "tokens that are drafted in a round"),
        Parameter("accept", "share", "of drafted tokens that are accepted, each by itself"),
        Parameter("draft", "share", "of a decode step that drafting one token takes"),
    ),
    requires=_cannot_speculate,
    ensures=lambda before, after, _: "" if len(before) == len(after) else "tasks came or went",
)
"""A decode step verifies one token and the drafted ones of each request: kernels take what they would with so many
tokens more, of which products share their weights; attention reads the cache once, as before. Then the step counts for
the tokens that a round makes, so times of decode steps are per token of a request. Prefill and mixed steps stay as they
are. Not modelled: the prompt that the drafting network reads, its memory, and requests that accept more than others.
"""
