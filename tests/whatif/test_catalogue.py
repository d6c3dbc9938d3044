"""All transforms are listed once with what is needed to judge them; users' files add theirs."""

from pathlib import Path

import pytest

from dlbricks.errors import InputError
from dlbricks.whatif.answer import backtested, error_together, errors_of
from dlbricks.whatif.transform import EVIDENCE, Transform, read_value
from dlbricks.whatif.transforms import TRANSFORMS, known, transforms_of

OWN = """
from dlbricks.whatif.transform import Transform

TRANSFORMS = (
    Transform(name="{name}", title="t", evidence="{evidence}", source="s", apply=lambda graph, values: graph),
)
"""


@pytest.mark.parametrize("transform", TRANSFORMS, ids=lambda one: one.name)
def test_every_transform_can_be_asked_and_judged(transform: Transform) -> None:
    """Name, title and source are there, defaults are values of their kind, evidence is what it says."""
    assert transform.name == transform.name.lower().replace("_", "-")
    assert transform.title.endswith(".")
    assert transform.source
    assert transform.evidence in EVIDENCE
    assert len({parameter.name for parameter in transform.parameters}) == len(transform.parameters)
    for parameter in transform.parameters:
        if parameter.default is not None:
            read_value(parameter, parameter.default)
    assert transform.evidence != "back-tested" or transform.name in backtested()


def test_names_are_unique() -> None:
    """None hides another."""
    assert len(known()) == len(TRANSFORMS)


def test_a_file_of_a_user_adds_transforms(tmp_path: Path) -> None:
    """They stand behind those that are there."""
    path = tmp_path / "mine.py"
    path.write_text(OWN.format(name="mine", evidence="modelled"))
    assert list(known([path]))[-1] == "mine"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (OWN.format(name="scale", evidence="modelled"), "there is a transform 'scale' already"),
        (OWN.format(name="mine", evidence="sure"), "evidence 'sure' of mine is none of back-tested"),
        ("1 / 0", "fails: ZeroDivisionError: division by zero"),
        ("TRANSFORMS = ('scale',)", "needs TRANSFORMS = (...), a tuple of dlbricks.whatif.transform.Transform"),
        ("x = 1", "needs TRANSFORMS = (...)"),
        ("def", "fails: SyntaxError"),
    ],
)
def test_a_file_that_is_wrong_is_refused(tmp_path: Path, text: str, reason: str) -> None:
    """With its name and the reason."""
    path = tmp_path / "mine.py"
    path.write_text(text)
    with pytest.raises(InputError) as refused:
        known([path])
    assert reason in str(refused.value)
    assert str(path) in str(refused.value)


def test_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    """Missing, or of another ending."""
    with pytest.raises(InputError, match="there is no such file"):
        transforms_of(tmp_path / "missing.py")
    (tmp_path / "mine.txt").write_text("")
    with pytest.raises(InputError, match=r"its name has to end in \.py"):
        transforms_of(tmp_path / "mine.txt")


def test_errors_of_several_add_up_and_one_unknown_leaves_none() -> None:
    """Each may err the same way; of what nobody has checked nothing is said."""
    checked = [one for one in TRANSFORMS if one.name in errors_of(TRANSFORMS)]
    unchecked = [one for one in TRANSFORMS if one.name not in errors_of(TRANSFORMS)]
    assert error_together([]) is None
    assert error_together([*checked[:1], unchecked[0]]) is None
    for one in checked:
        error, source = error_together([one, one]) or (0.0, "")
        assert error == 2 * errors_of([one])[one.name].error
        assert source == errors_of([one])[one.name].source
