"""Pairs of traces: the public ones are all described, those of a folder are predicted, and bad lists are refused."""

import json
from pathlib import Path

import pytest
from backtest.traces import LIST, pairs_at, public_pairs, trace_backtests

from dlbricks.errors import InputError
from dlbricks.whatif.transform import read_step
from dlbricks.whatif.transforms import all_transforms
from tests.whatif.kineto_files import rank_file

OWN = {
    "before": ["slow.json"], "after": ["quick.json"], "apply": "scale:0.5,name=sgemm", "address": "mine",
    "licence": "none", "truth": "the step", "knew": "nothing",
}  # fmt: skip


def listed(folder: Path, **changed: object) -> Path:
    """Write two traces, of which the collective ends after 800 and after 500 us, and a list of them."""
    rank_file(folder / "slow.json", 0, arrives_us=500, ends_us=800)
    rank_file(folder / "quick.json", 0, arrives_us=260, ends_us=560)
    (folder / LIST).write_text(json.dumps([{**OWN, **changed}]))
    return folder


def test_public_pairs_say_where_they_are_from() -> None:
    """Address, licence, truth; what was changed can be asked; nothing of them is here."""
    pairs = public_pairs()
    assert len({one.case for one in pairs}) == len(pairs) > 5
    for one in pairs:
        assert one.address.startswith("https://github.com/")
        assert one.licence in {"BSD-3-Clause", "MIT", "none stated"}
        assert one.truth
        read_step(one.apply, all_transforms())
    assert pairs_at(Path(__file__).parent) == ()


def test_a_pair_of_ones_own_is_predicted(tmp_path: Path) -> None:
    """Halved, the kernel of 475 us lets the step of 900 end 237.5 earlier; measured were 660."""
    (made,) = [one for one in trace_backtests(listed(tmp_path), all_transforms()).tests if one.name == "scale"]
    assert (made.before_ns, made.truth_ns) == (900_000, 660_000)
    assert made.predicted_ns == pytest.approx(662_500, abs=1000)
    assert (made.case, made.knew) == ("slow to quick", "nothing")


def test_kernels_alone_can_be_compared(tmp_path: Path) -> None:
    """Where hosts were not alike: the product of 475 us is halved, the collective is no kernel."""
    tests = trace_backtests(listed(tmp_path, compared=["kernels"]), all_transforms()).tests
    (made,) = [one for one in tests if "kernels" in one.name]
    assert made.transform == "scale, kernels:0.5,name=sgemm"
    assert made.predicted_ns == pytest.approx(made.before_ns / 2)
    assert made.truth_ns is not None


def test_a_refused_pair_is_told_and_the_others_are_predicted(tmp_path: Path) -> None:
    """No kernel converts layouts, so that pair has a reason in place of a prediction; the next pair has one."""
    listed(tmp_path)
    pairs = [{**OWN, "apply": "layout", "compared": ["kernels"]}, OWN]
    (tmp_path / LIST).write_text(json.dumps(pairs))
    made = trace_backtests(tmp_path, all_transforms())
    (refused,) = made.refused
    assert (refused.transform, refused.case) == ("layout, kernels", "slow to quick")
    assert refused.reason.endswith("none of its kernels converts between layouts")
    asked = [one.transform for one in made.tests if one.name != "replay"]
    assert asked == [f"scale{of}:0.5,name=sgemm" for of in ("", ", kernels", ", host")]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"after": ["none.json"]}, "names none.json, which is not in"),
        ({"after": []}, "has no file before or after"),
        ({"fitted": True}, "only parameters of data-loader can be fitted"),
        ({"apply": 3}, "apply"),
        ({"colour": "red"}, "colour"),
        ({"apply": "scael:2"}, "unknown transform 'scael'"),
    ],
)
def test_bad_lists_are_refused(tmp_path: Path, changed: dict[str, object], said: str) -> None:
    """In one line that says what is wrong."""
    with pytest.raises(InputError, match=said):
        trace_backtests(listed(tmp_path, **changed), all_transforms())
