"""What ``generate`` and ``validate`` do without options: the target that was validated best, named with its error."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from dlbricks.cli.app import main
from dlbricks.construct.intervals import choose_band
from dlbricks.settings import SplitSettings, usual_target
from dlbricks.store.types import SystemConfiguration
from dlbricks.suite.manifest import read_suite
from tests.cli.invoking import Run

SMALL = str(Path(__file__).parents[2] / "suites" / "networks" / "misc_lstm_lm.onnx")


def test_a_network_is_lowered_and_the_first_line_says_how_far_to_trust_it(dlbricks: Run) -> None:
    """The folder has the name of the network, the suite has not."""
    said = dlbricks("generate", SMALL).stdout.splitlines()
    assert said[0].startswith("target onnxruntime-cpu of onnxruntime 1.")
    assert ", expected error " in said[0]  # unknown on processors that were not validated
    assert "docs/accuracy.md)" in said[0]
    suite = read_suite(Path("misc_lstm_lm-suite"))
    assert (suite.name, suite.target.name) == ("suite", "onnxruntime-cpu")


@pytest.mark.parametrize(("packed", "place"), [((), "misc_lstm_lm-suite"), (("--pack",), "suite.tar.gz")])
def test_another_suite_is_not_replaced(dlbricks: Run, packed: tuple[str, ...], place: str) -> None:
    """Its result would not fit the new one any more, whether the user named the place or not; the same is written."""
    command = ("generate", SMALL, "--target", "portable", *packed)
    for _ in "12":
        dlbricks(*command)
    before = read_suite(Path(place))
    for named in ((), ("-o", place)):
        shown = dlbricks(*command, "-H", "2", *named, code=2).stderr
        assert f"{place} holds another suite: choose another path, or remove it" in shown
        assert read_suite(Path(place)) == before


def test_what_was_not_validated_has_no_expected_error(dlbricks: Run) -> None:
    """The errors of another target would be read as those of this one."""
    said = dlbricks("generate", SMALL, "--target", "portable").stdout.splitlines()[0]
    assert "expected error unknown: not validated for " in said
    assert "portable, H = 1" in said


def test_a_suite_for_others_does_not_get_the_name_of_the_network(dlbricks: Run) -> None:
    """Packed, or with decoys, it is called suite; so is one of several networks."""
    dlbricks("generate", SMALL, "--pack", "--target", "portable")
    dlbricks("generate", SMALL, "--decoys", SMALL, "--target", "portable")
    assert {path.name for path in Path().glob("*suite*")} == {"suite.tar.gz", "suite"}


@pytest.mark.parametrize(
    ("options", "target"),
    [
        ((), "onnxruntime-cpu"),
        (("--runtime", "openvino"), "openvino"),
        (("--provider", "cuda"), "portable"),
        (("--provider", "./mine.so"), "portable"),
        (("--provider", "cuda", "--target", "onnxruntime-cuda"), "onnxruntime-cuda"),
    ],
)
def test_validate_takes_the_target_of_the_runtime(
    options: tuple[str, ...], target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Devices keep portable, which was validated there."""
    seen = []
    monkeypatch.setattr("dlbricks.cli.validation.show_validation", lambda **asked: seen.append(asked["choice"]))
    assert CliRunner().invoke(main, ["validate", SMALL, *options], catch_exceptions=False).exit_code == 0
    assert [choice.settings.target for choice in seen] == [target]


def test_the_interface_of_python_has_the_same_default() -> None:
    """A network that is read, a suite that is made and a plan without a store agree."""
    assert SplitSettings().target == usual_target() == "onnxruntime-cpu"


def test_the_error_of_a_way_that_was_not_validated_says_so() -> None:
    """It is that of the intervals that estimates from the suite get."""
    like = SystemConfiguration(system="", runtime="onnxruntime 1.32.0", provider="cpu", threads=1)
    here, odd = (choose_band(SplitSettings(granularity=h), like, "sequential") for h in ("1", "5"))
    assert "onnxruntime-cpu, H = 5, sequential" in odd.expected.lacking
    assert "onnxruntime-cpu, H = 1, sequential" not in here.expected.lacking
