"""Harnesses that were patched to seem quick, and what each challenge finds; edits of results are in ``tests/store``."""

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dlbricks.harness.network import Bound
from dlbricks.harness.output_digest import sample_positions
from dlbricks.plugins.trust import answering as vendor
from tests.plugins.trust.challenged import Asked, answered, judged, patched_call, with_claims

_CALL = Bound.call
_LEAVES = vendor.leaves_of
Patch = Callable[[pytest.MonkeyPatch], object]


def _instead(change: Callable[[list[Any], int, dict[Any, Any]], object], *, computed: bool = True) -> Patch:
    """Calls whose outputs are changed; ``kept`` lasts as long as the session."""

    def patch(monkeypatch: pytest.MonkeyPatch) -> None:
        kept: dict[Bound, dict[Any, Any]] = {}

        def call(self: Bound) -> int:
            mine = kept.setdefault(self, {"calls": 0})
            mine["calls"] += 1
            if computed or mine["calls"] == 1:
                _CALL(self)
            change(self.outputs(), mine["calls"], mine)
            return 1000

        patched_call(monkeypatch, call)

    return patch


def _cached(after: int) -> Patch:
    """The answer to an early call for all later ones."""

    def change(outputs: list[Any], number: int, kept: dict[Any, Any]) -> None:
        if number == after:
            kept["outputs"] = [one.copy() for one in outputs]
        if number > after:
            for one, old in zip(outputs, kept["outputs"], strict=True):
                one[:] = old

    return _instead(change)


def _with(value: float) -> Patch:
    def change(outputs: list[Any], _: int, __: dict[Any, Any]) -> None:
        for one in outputs:
            if one.dtype.kind == "f":
                one[:] = value

    return _instead(change, computed=False)


def _half(outputs: list[Any], number: int, kept: dict[Any, Any]) -> None:
    if number == 1:
        kept["outputs"] = [one.copy() for one in outputs]
    for one, old in zip(outputs, kept["outputs"], strict=True):
        one.reshape(-1)[one.size // 2 :] = old.reshape(-1)[one.size // 2 :]


def _public(outputs: list[Any], _: int, __: dict[Any, Any]) -> None:
    """Right values at the places that the suite publishes, and nothing elsewhere."""
    for one in outputs:
        flat = one.reshape(-1)
        values = flat[sample_positions(flat.size)].copy()
        flat[:] = 0
        flat[sample_positions(flat.size)] = values


def _every_second(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers: dict[Bound, int] = {}

    def call(self: Bound) -> int:
        numbers[self] = numbers.get(self, 0) + 1
        return _CALL(self) if numbers[self] % 2 else 1000

    patched_call(monkeypatch, call)


def _rounded(bits: int) -> Patch:
    """Floats of so many bits of mantissa."""

    def change(outputs: list[Any], _: int, __: dict[Any, Any]) -> None:
        for one in outputs:
            if one.dtype == np.float32:
                words = one.view(np.uint32)
                words += np.uint32(1 << (22 - bits))
                words &= np.uint32(0xFFFFFFFF << (23 - bits) & 0xFFFFFFFF)

    return _instead(change)


def _off(outputs: list[Any], _: int, __: dict[Any, Any]) -> None:
    for one in outputs:
        one[:] = one * 1.05 if one.dtype.kind == "f" else one


def _unchained(monkeypatch: pytest.MonkeyPatch) -> None:
    """Inputs that wait for no answer, so that all calls can be made at once."""
    seed_of = vendor.seed_of
    monkeypatch.setattr(vendor, "seed_of", lambda nonce, name, _: seed_of(nonce, name, b""))


def _uncommitted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tree of anything but the answer: only the leaf that is disclosed is of it."""
    monkeypatch.setattr(vendor, "tree_of", lambda leaves: [[bytes(32)] * len(leaves), [bytes(32)]])


PROGRAMS: dict[str, tuple[Patch, str]] = {
    "the first answer for all": (_cached(1), "is wrong"),
    "honest while it is watched, the third answer from then on": (_cached(3), "is wrong"),
    "zeros": (_with(0.0), "is wrong"),
    "what is no number": (_with(float("nan")), "is wrong"),
    "every second call left out": (_every_second, "is wrong"),
    "half of each answer computed": (_instead(_half), "is wrong"),
    "answers right where the suite publishes them": (_instead(_public), "is wrong"),
    "answers 5 % off": (_instead(_off), "is wrong"),
    "inputs of the suite": (lambda m: m.setattr(Bound, "refill", lambda *_: None), "is wrong"),
    "all calls at once": (_unchained, "is wrong"),
    "float16 for float32": (_rounded(10), "lower precision"),
    "bfloat16 for float32": (_rounded(7), "lower precision"),
    "commitments to nothing": (_uncommitted, "does not match its commitment"),
}
"""Patched harnesses, and what is said of their answers."""


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_patched_harness_proves_nothing(asked: Asked, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Whatever is computed in another way than asked for is found, however generous the claims are."""
    patch, said = PROGRAMS[name]
    patch(monkeypatch)
    made = answered(asked)
    monkeypatch.undo()
    assert any(said in fault for fault in judged(with_claims(asked, 1000), made).faults)


def test_an_old_answer_proves_nothing(asked: Asked) -> None:
    """An answer to an earlier challenge of the same result belongs to another nonce."""
    made = copy.deepcopy(answered(asked))
    made["nonce"] = "1" * 64
    assert judged(with_claims(asked, 1000), made).faults == ("it is the answer to another challenge",)
