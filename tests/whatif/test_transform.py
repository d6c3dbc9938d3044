"""Transforms: what is asked is read as it was meant; all are listed once; what makes no sense is refused."""

import re
from pathlib import Path

import numpy as np
import pytest

from dlbricks.errors import InputError
from dlbricks.extensions import offered
from dlbricks.trace.types import Lane
from dlbricks.whatif.edit import GraphBuilder, scaled, with_durations
from dlbricks.whatif.evidence import KERNELS, STEP, backtested, check_evidence, errors_by_kind, errors_of, evidence_of
from dlbricks.whatif.graph import DependencyGraph, TaskKind
from dlbricks.whatif.select import select
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.transform import (
    Parameter,
    Transform,
    Values,
    apply_all,
    read_step,
    read_value,
)
from dlbricks.whatif.transforms import all_transforms, transforms_of


def _faster(graph: DependencyGraph, values: Values) -> DependencyGraph:
    return scaled(graph, select(graph, kinds=(TaskKind.KERNEL,)), 1 / float(values["factor"]))


FASTER = Transform(
    name="faster",
    title="Kernels take less time.",
    source="none",
    apply=_faster,
    parameters=(
        Parameter(name="factor", kind="factor", meaning="how many times faster"),
        Parameter(name="note", kind="text", meaning="a note", default="none"),
    ),
    requires=lambda graph, _: "" if len(select(graph, kinds=(TaskKind.KERNEL,))) else "it has no kernels",
    ensures=lambda before, after, _: "" if len(before) == len(after) else "tasks are gone",
)
KNOWN = {"faster": FASTER}


def one(kind: TaskKind) -> DependencyGraph:
    """Return a graph of one task of 100 ns."""
    builder = GraphBuilder(name="one")
    builder.task(kind, "task", Lane(process="1", name="lane"), 100)
    return builder.built()


def test_steps_are_applied_in_order() -> None:
    """Twice two times faster is four times faster."""
    steps = [read_step("faster:2", KNOWN), read_step("faster:factor=2x,note=again", KNOWN)]
    assert replay(apply_all(one(TaskKind.KERNEL), steps).graph).makespan_ns == 25


def test_requirements_and_promises_are_checked() -> None:
    """Nothing is answered where the question makes no sense, or where the answer is not what was promised."""
    step = read_step("faster:2", KNOWN)
    with pytest.raises(InputError, match="faster cannot be applied to one: it has no kernels"):
        apply_all(one(TaskKind.CPU), [step])
    careless = Transform(name="careless", title="", source="", apply=_faster, ensures=lambda *_: "it does nothing")
    with pytest.raises(InputError, match="careless violates its postcondition on one: it does nothing"):
        apply_all(one(TaskKind.KERNEL), [(careless, {"factor": 1.0})])


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("factor", "1.5x", 1.5),
        ("share", "50%", 0.5),
        ("share", "0.25", 0.25),
        ("time", "250us", 250_000),
        ("rate", "25Gbps", 25e9 / 8),
        ("rate", "900GB/s", 900e9),
        ("rate", "10 Mb/s", 10e6 / 8),
        ("size", "25MB", 25e6),
        ("size", "1MiB", 2**20),
        ("count", "8", 8),
        ("text", "layer4.*", "layer4.*"),
    ],
)
def test_values_are_read_in_their_units(kind: str, text: str, value: float | str) -> None:
    """Bits and bytes, thousands and powers of two are told apart."""
    assert read_value(Parameter(name="x", kind=kind, meaning=""), text) == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("slower", "unknown transform 'slower': choose from faster"),
        ("faster", "faster needs factor, how many times faster: write faster:factor=..."),
        ("faster:0", "faster: invalid factor '0': expected a positive number such as 2 or 1.5x"),
        ("faster:2,3", "invalid part '3' of 'faster:2,3': expected KEY=VALUE"),
        ("faster:speed=2", "faster has no parameter 'speed': it takes factor, note"),
    ],
)
def test_what_cannot_be_read_is_named(text: str, message: str) -> None:
    """With what to write instead."""
    with pytest.raises(InputError) as caught:
        read_step(text, KNOWN)
    assert message in str(caught.value)


OWN = """
from dlbricks.whatif.transform import Transform

TRANSFORMS = (
    Transform(name="{name}", title="t", source="s", apply=lambda graph, values: graph),
)
"""


ALL = tuple(all_transforms().values())


@pytest.mark.parametrize("transform", ALL, ids=lambda one: one.name)
def test_every_transform_can_be_asked_and_judged(transform: Transform) -> None:
    """Name, title and source are there, defaults are values of their kind, what is back-tested has errors."""
    assert transform.name == transform.name.lower().replace("_", "-")
    assert transform.title.endswith(".")
    assert transform.source
    assert len({parameter.name for parameter in transform.parameters}) == len(transform.parameters)
    for parameter in transform.parameters:
        if parameter.default is not None:
            read_value(parameter, parameter.default)
    assert (evidence_of(transform) == "back-tested") == bool(errors_by_kind(transform.name))


def test_transforms_of_modules_and_plug_ins_are_listed_by_group_and_name() -> None:
    """A new one needs no entry anywhere else."""
    listed = [(transform.group, name) for name, transform in all_transforms().items()]
    assert listed == sorted(listed)
    assert {"scale", "fp16", "int8"} <= all_transforms().keys() - offered("dlbricks.transforms").keys()


def test_a_file_of_a_user_adds_transforms(tmp_path: Path) -> None:
    """They stand behind those that are there."""
    path = tmp_path / "mine.py"
    path.write_text(OWN.format(name="mine"))
    assert list(all_transforms([path]))[-1] == "mine"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (OWN.format(name="scale"), "a transform 'scale' exists already"),
        ("1 / 0", "fails: ZeroDivisionError: division by zero"),
        ("raise SystemExit(5)", "fails: SystemExit: 5"),
        ("TRANSFORMS = ('scale',)", "must set TRANSFORMS = (...), a tuple of dlbricks.whatif.transform.Transform"),
        ("x = 1", "must set TRANSFORMS = (...)"),
        ("def", "fails: SyntaxError"),
    ],
)
def test_a_file_that_is_wrong_is_refused(tmp_path: Path, text: str, reason: str) -> None:
    """With its name and the reason."""
    path = tmp_path / "mine.py"
    path.write_text(text)
    with pytest.raises(InputError) as refused:
        all_transforms([path])
    assert reason in str(refused.value)
    assert str(path) in str(refused.value)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("None", "AttributeError: 'NoneType' object has no attribute"),
        ("with_durations(graph, np.arange(1), [1.0, 2.0])", "ValueError: operands could not be broadcast"),
        ("with_durations(graph, np.arange(1), float('nan'))", "task is nan ns: a transform must set 0 or more"),
    ],
)
def test_a_transform_of_a_user_that_fails_is_named(tmp_path: Path, body: str, reason: str) -> None:
    """With its file and the error, in one line."""
    path = tmp_path / "mine.py"
    imports = "import numpy as np\nfrom dlbricks.whatif.edit import with_durations\n"
    path.write_text(imports + OWN.format(name="mine").replace("values: graph", f"values: {body}"))
    with pytest.raises(InputError, match=re.escape(reason)) as refused:
        apply_all(one(TaskKind.KERNEL), [read_step("mine", all_transforms([path]))])
    assert "\n" not in str(refused.value)
    assert str(refused.value).startswith(f"mine of {path} fails: ")


def test_durations_may_be_one_for_all() -> None:
    """A scalar counts for each task."""
    graph = with_durations(one(TaskKind.KERNEL), np.arange(1), 40.0)
    assert graph.duration_ns.tolist() == [40]


def test_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    """Missing, or of another ending."""
    with pytest.raises(InputError, match="file not found"):
        transforms_of(tmp_path / "missing.py")
    (tmp_path / "mine.txt").write_text("")
    with pytest.raises(InputError, match=r"its name must end in \.py"):
        transforms_of(tmp_path / "mine.txt")


def test_errors_of_several_are_known_together_or_not_at_all() -> None:
    """Each may err the same way; of what was not back-tested on such a trace nothing is said."""
    kind = "training on NVIDIA GPUs"
    assert errors_of([], STEP) is None
    for row in backtested():
        if row.of != STEP:
            continue
        assert errors_of([(row.transform, row.kind), ("scale", row.kind)], STEP) is None
        assert errors_of([(row.transform, "inference on a processor with openvino")], STEP) is None
        if not row.helps:
            assert errors_of([(row.transform, row.kind)], STEP) is None
            continue
        errors, source = errors_of([(row.transform, row.kind)], STEP) or ((), "")
        assert errors[0] >= row.error
        assert source == row.source
        both, _ = errors_of([(row.transform, row.kind)] * 2, STEP) or ((), "")
        assert both == errors * 2
    assert errors_of([("batch", kind)], STEP) != errors_of([("batch", kind)], KERNELS)
    assert errors_of([("p3", kind)], STEP) == ((0.162,), "at most 16.2 %, as reported of Daydream (USENIX ATC 2020)")


def test_what_does_no_better_than_no_change_gives_no_answer() -> None:
    """By the figures of the kind of trace, or of the same devices; what was not back-tested there may answer."""
    with pytest.raises(InputError, match=r"device gives no answer .* \(kernels off by .* 4 signs wrong"):
        check_evidence("device", "inference between AMD and NVIDIA GPUs")
    with pytest.raises(InputError, match="for inference between AMD and NVIDIA GPUs"):
        check_evidence("device", "training between AMD and NVIDIA GPUs")
    for row in backtested():
        if row.helps:
            check_evidence(row.transform, row.kind)
    check_evidence("device", "training on NVIDIA GPUs")


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("fusion", "fuse"), ("CUDA_Graphs", "cuda-graphs"), ("faster-gpu:h100", "device:to=h100"),
        ("device:A100", "device:to=A100"), ("dataloader:4", "data-loader:4"), (" half ", "fp16"),
    ],
)  # fmt: skip
def test_a_transform_has_the_names_that_users_try(text: str, means: str) -> None:
    """Synonyms, in any case, with ``_`` for ``-``; a bare device is the new one."""
    known = all_transforms()
    assert read_step(text, known) == read_step(means, known)


def test_no_two_transforms_share_a_name() -> None:
    """Nor a synonym, so that each name means one transform."""
    names = [name for each in ALL for name in (each.name, *each.synonyms)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("fusoin", "unknown transform 'fusoin': did you mean 'fusion'?"),
        ("cuda-grahps", "did you mean 'cuda-graphs'?"),
        ("a100", "unknown transform 'a100': did you mean 'device:a100'?"),
        ("magic", "unknown transform 'magic': choose from "),
    ],
)
def test_an_unknown_name_is_answered_with_a_near_one(text: str, reason: str) -> None:
    """Or with all names, if none is near."""
    with pytest.raises(InputError, match=re.escape(reason)):
        read_step(text, all_transforms())


def test_a_missing_value_is_asked_for_as_it_is_written() -> None:
    """The example of the first parameter stands alone; without an example its name does."""
    with pytest.raises(InputError, match=r"mem-reuse needs state, .*: write mem-reuse:off$"):
        read_step("mem-reuse", all_transforms())
    with pytest.raises(InputError, match=r"write threads:threads=\.\.\.$"):
        read_step("threads", all_transforms())
