"""Chakra execution traces, written here as the recorder does: what is read of them, and what is refused."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from dlbricks import limits
from dlbricks.cli import main
from dlbricks.errors import InputError
from dlbricks.trace.types import Level
from dlbricks.whatif.collectives import collective_timings
from dlbricks.whatif.graph import Phase, TaskKind
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.sources.chakra import COLLECTIVE, profile_of_chakra, read_chakra
from dlbricks.whatif.sources.load import graph_of_files
from dlbricks.whatif.transform import apply_all, read_step
from dlbricks.whatif.transforms import known

COMPUTE = 4
NONE: Mapping[str, tuple[int, int]] = {}


def varint(value: int) -> bytes:
    """Return seven bits a byte, the last ones first."""
    made = bytearray()
    while value >= 0x80:
        made.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*made, value])


def field(number: int, value: int | bytes) -> bytes:
    """Return a field of a message: a number, or bytes."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def node(
    number: int,
    name: str,
    us: int,
    needs: Sequence[int] = (),
    kind: int = COMPUTE,
    attributes: Mapping[str, tuple[int, int]] = NONE,
) -> bytes:
    """Return a node; attributes are the number of a field and its value."""
    packed = b"".join(varint(one) for one in needs)
    made = field(1, number) + field(2, name.encode()) + field(3, kind) + field(5, packed) + field(7, us)
    made += field(8, field(1, b"[[1, 2]]"))  # inputs, which are skipped
    for key, (at, value) in attributes.items():
        made += field(10, field(1, key.encode()) + field(at, value))
    return made


HOST: Mapping[str, tuple[int, int]] = {"is_cpu_op": (27, 1), "tid": (9, 1)}
STREAM: Mapping[str, tuple[int, int]] = {"is_cpu_op": (27, 0), "tid": (9, 7)}
NODES = (
    node(3, "aten::mm", 10, (), COMPUTE, HOST),
    node(4, "sgemm", 100, [3], COMPUTE, STREAM),
    node(5, "aten::relu", 20, [3], COMPUTE, HOST),
    node(9, "relu_kernel", 50, [5], COMPUTE, STREAM),
    node(11, "Memcpy DtoD", 5, [9], COMPUTE, {"is_cpu_op": (7, 0), "tid": (7, 8)}),
    node(12, "ncclKernel_AllReduce", 40, [9, 999], COLLECTIVE, {"tid": (13, 14), "comm_size": (9, 212_480)}),
)
METADATA = field(2, field(1, b"schema") + field(29, b"1.0.1"))


def written(folder: Path, *messages: bytes, name: str = "rank.et") -> Path:
    """Write messages behind their lengths."""
    path = folder / name
    path.write_bytes(b"".join(varint(len(one)) + one for one in messages))
    return path


def test_tasks_begin_as_early_as_lanes_and_dependencies_allow(tmp_path: Path) -> None:
    """A thread, three streams; one dependency is on what was not recorded."""
    graph = graph_of_files([written(tmp_path, METADATA, *NODES)])
    host, kernel, copy, sums = TaskKind.CPU, TaskKind.KERNEL, TaskKind.COPY, TaskKind.COLLECTIVE
    assert graph.kind.tolist() == [host, kernel, host, kernel, copy, sums]
    assert replay(graph).start_ns.tolist() == [0, 10_000, 10_000, 110_000, 160_000, 160_000]
    assert replay(graph).makespan_ns == 200_000
    assert [lane.name for lane in graph.lanes] == ["thread 1", "stream 7", "stream 8", "stream 14"]
    assert graph.figures("bytes")[5] == 212_480
    assert graph.notes[1] == "1 edge from nodes that are not in the file"


def test_it_can_be_asked_about(tmp_path: Path) -> None:
    """Products twice as quick save half of 100 us; what the file lacks is said."""
    path = written(tmp_path, METADATA, *NODES)
    done = CliRunner().invoke(main, ["whatif", str(path), "--apply", "kernel-swap:gemm,factor=2"])
    assert done.exit_code == 0
    assert "gain 25.0%" in done.stdout
    assert "a Chakra trace has no start times" in done.stderr


def test_ranks_meet_in_their_collectives(tmp_path: Path) -> None:
    """The rank that computes for 300 us comes last; the sum takes 40 us, as on the rank that waited least."""
    group = field(10, field(1, b"pg_name") + field(29, b"7")) + field(10, field(1, b"comm_type") + field(9, 0))
    paths = [
        written(
            tmp_path, METADATA, node(1, "sgemm", computing, [], COMPUTE, STREAM),
            node(2, f"ncclKernel_{number}", recorded, [1], COLLECTIVE, {"tid": (9, 14)}) + group,
            node(3, "relu_kernel", 10, [2], COMPUTE, STREAM), name=f"rank{number}.et",
        )
        for number, (computing, recorded) in enumerate(((100, 240), (300, 40)))
    ]  # fmt: skip
    graph = graph_of_files(paths)
    plan = replay(graph)
    sums = np.flatnonzero(graph.kind == TaskKind.COLLECTIVE)
    assert plan.end_ns[sums].tolist() == [340_000, 340_000]
    assert plan.makespan_ns == 350_000
    waits, (kind,) = collective_timings(graph)
    assert [(one.rank, one.waited_ns, one.caused_ns) for one in waits] == [
        ("rank 0", 200_000, 0), ("rank 1", 0, 200_000),
    ]  # fmt: skip
    assert (kind.collective, kind.count, kind.transfer_ns) == ("allreduce", 1, 40_000)
    done = CliRunner().invoke(main, ["whatif", *map(str, paths), "--apply", "scale:0.5,name=sgemm"])
    assert done.exit_code == 0
    assert "gain 42.9%" in done.stdout
    assert "as long as their shortest member" in done.stderr


def test_it_can_be_analysed(tmp_path: Path) -> None:
    """Operators are layers, kernels stand below those they wait for; the collective is one by its type."""
    path = written(tmp_path, METADATA, *NODES)
    made = profile_of_chakra(path)
    trace = made.runs[0].trace
    layers, kernels = trace.rows(Level.LAYER), trace.rows(Level.KERNEL)
    assert [trace.names[name] for name in trace.name[layers]] == ["aten::mm", "aten::relu"]
    assert trace.parent[kernels].tolist() == [0, 2, -1, -1]
    assert int((trace.end_ns - trace.start_ns)[kernels].sum()) == 195_000
    done = CliRunner().invoke(main, ["analyse", str(path), "--only", "A3,A8,A15,overlap,collectives", "--json"])
    assert done.exit_code == 0
    assert "sgemm" in done.stdout
    assert "a Chakra trace has no start times" in done.stderr


def test_it_is_not_exported(tmp_path: Path) -> None:
    """There are no times to draw: one line says which verbs take such a trace."""
    given = str(written(tmp_path, METADATA, *NODES))
    made = CliRunner().invoke(main, ["export", given, "-o", str(tmp_path / "o.json")])
    assert (made.exit_code, "give it to 'analyse', 'report' or 'whatif'" in made.stderr) == (2, True), made.output


def test_phases_are_told_by_operators(tmp_path: Path) -> None:
    """A thread with backward operators runs a backward pass; kernels are of what they wait for, and of its layer."""
    back: Mapping[str, tuple[int, int]] = {"is_cpu_op": (27, 1), "tid": (9, 2)}
    graph = graph_of_files([
        written(
            tmp_path, METADATA, *NODES[:2], node(20, "aten::convolution_backward(1)", 5, [4], COMPUTE, back),
            node(21, "aten::copy_", 5, [20], COMPUTE, back), node(22, "dgrad", 50, [20, 21], COMPUTE, STREAM),
            node(23, "aten::_foreach_add_", 5, [22], COMPUTE, HOST), node(24, "adam", 9, [23], COMPUTE, STREAM),
        )
    ])  # fmt: skip
    ahead, behind, update = Phase.FORWARD, Phase.BACKWARD, Phase.UPDATE
    assert graph.phase.tolist() == [ahead, ahead, behind, behind, behind, update, update]
    assert [graph.layers[number] for number in graph.layer[[1, 2, 4]]] == [
        "aten::mm",
        "aten::convolution_backward",
        "aten::copy_",
    ]
    with pytest.raises(InputError, match="it has no data dependencies between layers"):
        apply_all(graph, [read_step("streams:2", known())])


@pytest.mark.parametrize(
    ("messages", "reason"),
    [
        ((METADATA, NODES[0], NODES[0]), "has two nodes with number 3"),
        ((METADATA, node(1, "planned", 0)), "has no durations"),
        ((), "has no durations"),
        ((METADATA, b"\x0a\xff\xff"), "is not a Chakra execution trace, or is damaged"),
        ((METADATA, bytes(2**20 + 1)), "a message has 1,048,577 bytes"),
        ((METADATA, node(1, "long", 10**11)), "lasts 100,000,000,000 us"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, messages: Sequence[bytes], reason: str) -> None:
    """In one line."""
    with pytest.raises(InputError, match=reason):
        read_chakra(written(tmp_path, *messages))


def test_what_is_cut_off_or_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Or is not there at all, or waits for itself, or is of several ranks."""
    path = written(tmp_path, METADATA, *NODES)
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    with pytest.raises(InputError, match="cut off within a message"):
        read_chakra(path)
    path.write_bytes(whole + b"\x80")
    with pytest.raises(InputError, match="cut off within a length"):
        read_chakra(path)
    path.write_bytes(b"\xff" * 20)
    with pytest.raises(InputError, match="a length has more than 10 bytes"):
        read_chakra(path)
    with pytest.raises(InputError, match="cannot read"):
        read_chakra(tmp_path / "none.et")
    with pytest.raises(InputError, match=r"circle|cycle|each other"):
        graph_of_files([written(tmp_path, METADATA, node(1, "a", 1, [2]), node(2, "b", 1, [1]))])
    with pytest.raises(InputError, match="give Chakra traces for all ranks"):
        graph_of_files([path, tmp_path / "rank1.json"])
    monkeypatch.setattr(limits, "CHAKRA_NODES", 5)
    with pytest.raises(InputError, match="more than 5 nodes"):
        read_chakra(written(tmp_path, METADATA, *NODES))


@settings(max_examples=200)
@given(st.data())
def test_damaged_files_are_read_or_refused(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    """Bytes changed, left out, or put in."""
    path = written(tmp_path_factory.mktemp("damaged"), METADATA, *NODES)
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at : at + data.draw(st.integers(0, 2))] = data.draw(st.binary(max_size=3))
    path.write_bytes(content)
    try:
        graph = graph_of_files([path])
    except InputError as error:
        assert str(error)
        return
    assert replay(graph).makespan_ns >= 0


def test_names_without_end_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their characters are counted together, since each name is looked through several times."""
    monkeypatch.setattr(limits, "CHAKRA_CHARACTERS", 100)
    path = written(tmp_path, METADATA, *(node(number, "x" * 40, 1) for number in range(3)))
    with pytest.raises(InputError, match="names of more than 100 characters in all"):
        read_chakra(path)
