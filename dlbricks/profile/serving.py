"""What servers of language models write into the names of their steps: prefill or decode, requests, tokens, cache.

vLLM (``gpu_worker.py``, ``annotate_profile``): ``execute_context_1(512)_generation_8(8)``, earlier
``execute_new_1_cached_8``. SGLang (``step_span_utils.py``): ``step[EXTEND bs=2 toks=4096]``, ``step[DECODE bs=16]``,
with its annotations for rooflines also the tokens in the cache, as in ``step[DECODE bs=2 g_sk=30]``.
"""

import re
from dataclasses import dataclass

PREFILL, DECODE, MIXED = "prefill", "decode", "mixed"
_VLLM = re.compile(r"execute_context_(\d+)\((\d+)\)_generation_(\d+)\((\d+)\)")
_VLLM_BEFORE = re.compile(r"execute_new_(\d+)_cached_(\d+)")
_SGLANG = re.compile(r"step\[([A-Z_]+)((?: \w+=\d+)+)\]")
_MODES = {"EXTEND": PREFILL, "SPLIT_PREFILL": PREFILL, "DECODE": DECODE, "MIXED": MIXED}
"""Of SGLang; others (TARGET_VERIFY, DRAFT_EXTEND, IDLE) keep their name, in lower case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingStep:
    """One forward pass of a server, by its name."""

    phase: str
    """``PREFILL``, ``DECODE``, ``MIXED`` where it does both, or a mode of SGLang's own."""
    requests: int
    tokens: int | None
    """That it works on, of prompts and answers; None where the name does not say."""
    cached: int | None
    """Of the cache that all its requests read, with those of the step itself; None where the name does not say."""


def serving_step(name: str) -> ServingStep | None:
    """Read the name of a range; None where it is no step of a server that is known."""
    if found := _VLLM.match(name):
        contexts, context_tokens, generations, generated = map(int, found.groups())
        tokens = context_tokens + generated
        return ServingStep(
            phase=_phase(contexts, generations), requests=contexts + generations, tokens=tokens, cached=None
        )
    if found := _VLLM_BEFORE.match(name):
        new, going_on = map(int, found.groups())
        return ServingStep(phase=_phase(new, going_on), requests=new + going_on, tokens=None, cached=None)
    if found := _SGLANG.match(name):
        figures = {key: int(value) for key, _, value in (one.partition("=") for one in found[2].split())}
        return _of_sglang(found[1], figures) if "bs" in figures else None
    return None


def _phase(prompts: int, answers: int) -> str:
    """Name a step by how many requests it has of each kind."""
    if prompts and answers:
        return MIXED
    return PREFILL if prompts else DECODE


def _of_sglang(mode: str, figures: dict[str, int]) -> ServingStep:
    tokens = figures.get("toks", figures["bs"] if mode == "DECODE" else None)
    if tokens is None and {"c_sq", "g_sq"} <= set(figures):
        tokens = figures["c_sq"] + figures["g_sq"]
    cached = [figures[key] for key in ("c_sk", "g_sk") if key in figures]
    return ServingStep(
        phase=_MODES.get(mode, mode.lower()),
        requests=figures["bs"],
        tokens=tokens,
        cached=sum(cached) if cached else None,
    )
