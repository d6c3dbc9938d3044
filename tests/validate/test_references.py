"""Composing fitted to reference networks: what is recovered, what stays, and how intervals follow."""

import dataclasses
import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kept_runs import read_runs

import dlbricks
from dlbricks.construct.compose import compose
from dlbricks.construct.estimate import estimate, step_times
from dlbricks.construct.intervals import Evidence, choose_band, difficulty, table
from dlbricks.construct.types import Composition, Rule
from dlbricks.harness.cpu import block_of, instruction_set
from dlbricks.harness.options import RunOptions
from dlbricks.harness.run.runner import run_suite
from dlbricks.process_pool import Workers
from dlbricks.sequences.split import network
from dlbricks.settings import SplitSettings, SystemQuery
from dlbricks.store.bundle import Bundle, publish
from dlbricks.store.database import ResultStore
from dlbricks.store.document import read_document
from dlbricks.store.summary import measurements
from dlbricks.store.types import NOT_CALIBRATED, Caches, Calibration, QueueTimes, SystemConfiguration, SystemResults
from dlbricks.suite import generate as generating
from dlbricks.suite.benchmarks import BuiltBenchmark
from dlbricks.validate.references import (
    LEAST,
    NETWORKS,
    USUAL_ERROR,
    USUAL_HOST_ERROR,
    MeasuredNetwork,
    built_references,
    calibration_of,
    fit,
    fit_host,
    network_files,
)
from tests.construct.made_up import composition, in_states, on_device, placed, results
from tests.store.stored import QUEUE, submission

MIB = 2**20
EIGHT_THREADS = Path(__file__).parents[1] / "data" / "eight_threads.parquet"
CURVE = ((4 * MIB, 0.0), (64 * MIB, 1.0))
"""Rises over four octaves, so that each reach has another share."""


def machine() -> SystemResults:
    """Make results of sequences of 20 to 100 us, an eighth more with constants from memory."""
    names = {f"s{index}": 20_000 + 4_000 * index for index in range(20)}
    made = in_states(results(names, overhead_ns=5_000), {name: (ns, ns + ns // 8) for name, ns in names.items()})
    return dataclasses.replace(made, caches=Caches(curve=CURVE, written=CURVE))


def reference(number: int) -> Composition:
    """Make a network of 10 to 40 steps whose constants were used 4 to 60 MiB ago."""
    made = composition([f"s{(index + number) % 20}" for index in range(10 * (number + 1))], model=f"n{number}")
    for index in range(len(made.steps)):
        made = placed(made, index, constants=((100_000, (4 + (7 * index + 13 * number) % 56) * MIB, 1),))
    return made


REFERENCES = tuple(map(reference, range(4)))
TRUE = st.builds(Calibration, reach=st.floats(0.7, 1.5), step_ns=st.integers(-1_000, 1_000))


def measured(true: Calibration, noise: tuple[float, ...] = (0.0,) * 4, *, threads: int = 1) -> list[MeasuredNetwork]:
    """Measure references on a machine with this reach and cost of a step, each with an error of its own."""
    known = machine()
    known = dataclasses.replace(known, configuration=dataclasses.replace(known.configuration, threads=threads))
    real = dataclasses.replace(known, calibration=true)
    return [
        MeasuredNetwork(
            composition=each,
            results=known,
            measured_ns=round(math.exp(more) * (sum(step_times(each, real)) + known.call_overhead_ns)),
        )
        for each, more in zip(REFERENCES, noise, strict=True)
    ]


@settings(max_examples=15)
@given(TRUE)
def test_a_machine_is_found_again(true: Calibration) -> None:
    """With what was fitted, no reference is off by more than is usual, and all parameters are near."""
    found = fit(measured(true))
    assert found.networks == len(REFERENCES)
    for each in measured(true):
        made = estimate(each.composition, dataclasses.replace(each.results, calibration=found), Rule.SEQUENTIAL)
        assert abs(made.total_ns / each.measured_ns - 1) < USUAL_ERROR * difficulty(made.traits)
    assert abs(math.log(found.reach / true.reach)) < 0.42
    assert abs(found.step_ns - true.step_ns) <= 1_000
    assert found.spread < 1


def test_the_cost_of_a_step_grows_with_the_threads() -> None:
    """On eight threads it may be as many times as large as on one, where the prior holds it back."""
    true = Calibration(step_ns=-8_000)
    assert fit(measured(true, threads=8)).step_ns == pytest.approx(-8_000, abs=2_000)
    assert fit(measured(true)).step_ns >= -1_500


def test_eight_threads_are_estimated_by_the_cost_of_other_networks() -> None:
    """Recorded on 8 of 16 cores: each network with what the other three cost; without, two are a third too slow."""
    networks = {}
    for name, run in read_runs(EIGHT_THREADS).items():
        whole = next(iter(measurements(run.document, roles=("whole",)).measurements.values()))
        networks[name] = MeasuredNetwork(
            composition=run.facts.composition, results=measurements(run.document), measured_ns=whole.latency_ns
        )
    plain, fitted = dict[str, float](), dict[str, float]()
    for name, network_of in networks.items():
        others = fit([other for each, other in networks.items() if each != name])
        for errors, calibration in ((plain, NOT_CALIBRATED), (fitted, others)):
            results_of = dataclasses.replace(network_of.results, calibration=calibration)
            estimated = estimate(network_of.composition, results_of, Rule.SEQUENTIAL)
            errors[name] = estimated.total_ns / network_of.measured_ns - 1
            assert estimated.low_ns <= network_of.measured_ns <= estimated.high_ns
    assert max(plain.values()) > 0.3
    assert max(map(abs, fitted.values())) < 0.05
    assert len(fitted) == 4


def test_as_estimated_nothing_is_fitted() -> None:
    """A machine that is as composing assumes keeps both parameters; the spread is that of the prior alone."""
    found = fit(measured(Calibration()))
    assert (found.reach, found.step_ns) == (1.0, 0)
    assert found.spread == pytest.approx(math.sqrt(4 / 8), abs=1e-3)


@settings(max_examples=8)
@given(st.floats(0.1, 0.4), st.booleans())
def test_what_two_parameters_do_not_explain_widens(size: float, first: bool) -> None:
    """References that are off in both directions give intervals wider than those of validations."""
    noise = tuple(size * (-1) ** (index + first) for index in range(4))
    assert fit(measured(Calibration(), noise)).spread > 1.5


def test_one_outlier_moves_little() -> None:
    """The limited loss keeps three references right beside one that is far off."""
    found = fit(measured(Calibration(), (0.0, 0.0, 0.5, 0.0)))
    for each in measured(Calibration())[:2]:
        made = estimate(each.composition, dataclasses.replace(each.results, calibration=found), Rule.SEQUENTIAL)
        assert abs(made.total_ns / each.measured_ns - 1) < 0.04


@pytest.mark.parametrize("count", range(LEAST))
def test_too_few_references_change_nothing(count: int) -> None:
    """Neither do references whose sequences were not all measured."""
    true = measured(Calibration(step_ns=1_000))
    lacking = dataclasses.replace(machine(), measurements={"s0": machine().measurements["s0"]})
    others = [dataclasses.replace(each, results=lacking) for each in true[count:]]
    assert fit([*true[:count], *others]) == Calibration()


def test_the_default_is_what_estimates_were() -> None:
    """A reach of 1 and a step of 0 ns give the same times, to the digit."""
    for each in REFERENCES:
        plain = estimate(each, machine(), Rule.SEQUENTIAL)
        counted = dataclasses.replace(machine(), calibration=Calibration(networks=4))
        assert estimate(each, counted, Rule.SEQUENTIAL).rows == plain.rows


def chosen(row: Evidence, calibration: Calibration, isa: str, *, beside: bool = True) -> tuple[float, str]:
    configuration = SystemConfiguration(
        system="new", runtime="onnxruntime 1", provider="cpu", threads=1, instruction_set=tuple(isa.split())
    )
    made = choose_band(
        composition(["a"], target=row.target), configuration, row.rule, interleaved=beside, calibration=calibration
    )
    return made.band.low + made.band.high, made.reason


def test_references_replace_a_kind_that_was_never_validated() -> None:
    """No doubled width for the kind, but the spread, and the hour as before."""
    row = next(each for each in table() if each.references and each.target == "onnxruntime-cpu")
    usual = row.band.low + row.band.high
    found = chosen(row, Calibration(networks=4, spread=1.5), "riscv64 v")
    assert found[0] == pytest.approx(1.5 * usual)
    assert "this kind" not in found[1]
    assert "of all systems, scaled by 1.5 from errors of reference networks (4)" in found[1]
    later = chosen(row, Calibration(networks=4), "riscv64 v", beside=False)
    assert later[0] == pytest.approx(2 * usual)
    assert later[1].startswith("not validated for results of another hour: 2 times the width validated on ")
    assert "this kind of system" in chosen(row, Calibration(), "riscv64 v")[1]


def test_the_references_are_public_networks() -> None:
    """Those of the package are those of the repository's folder, byte for byte."""
    for path in network_files():
        assert (
            path.read_bytes() == (Path(dlbricks.__file__).parents[1] / "suites" / "networks" / path.name).read_bytes()
        )
    assert len(network_files()) == len(NETWORKS)


def test_a_suite_carries_them_and_a_result_tells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From networks to what is fitted, with a run of one visit of each benchmark; a smoke test itself tells nothing."""
    monkeypatch.setattr(generating, "_LEAST_SEQUENCES", 0)
    monkeypatch.setattr(generating, "REFERENCE_SHARE", 1.0)
    (squeezenet,) = (path for path in network_files() if "squeeze" in path.name)
    split_as = SplitSettings(target="onnxruntime-cpu")
    folder, out = tmp_path / "suite", tmp_path / "result.json"
    suite, _ = generating.generate([str(squeezenet)], split_as, out=folder, build_references=built_references)
    own_block = block_of(instruction_set())
    wholes = {one.name: one for one in suite.benchmarks if one.role == "network" and one.block in (0, own_block)}
    assert sorted(wholes) == sorted(NETWORKS)
    own = [step for step in compose(network(squeezenet, split_as)).steps if not step.free]
    steps = [step for step in wholes[squeezenet.stem].steps if step.fingerprint]
    assert [(step.fingerprint, step.constants, step.inputs, step.outputs) for step in own] == [
        (step.fingerprint, step.constants, step.inputs, step.outputs) for step in steps
    ]
    assert {step.fingerprint for one in wholes.values() for step in one.steps} <= {"", *suite.sequences}
    run_suite(folder, out, RunOptions(smoke=True))
    document = read_document(out.read_bytes())
    assert all(entry["status"] == "ok" for entry in document["benchmarks"])
    assert calibration_of(document, measurements(document)) == Calibration()
    longer = {**document, "options": {**document["options"], "smoke": False}}
    assert calibration_of(longer, measurements(longer)).networks == len(NETWORKS)
    for threads, fitted in ((2, 0), (8, len(NETWORKS))):
        several = {**longer, "runtime": {**document["runtime"], "threads": threads}}
        assert calibration_of(several, measurements(several)).networks == fitted


def test_small_suites_have_none(tmp_path: Path) -> None:
    """They would take more than a quarter of a run; they are not even built."""

    def build(workers: Workers, settings: SplitSettings) -> tuple[BuiltBenchmark, ...]:
        raise AssertionError((workers, settings))

    suite, _ = generating.generate(
        [str(network_files()[-1])], SplitSettings(), out=tmp_path / "suite", build_references=build
    )
    assert not any(one.steps for one in suite.benchmarks)


def test_stores_and_bundles_keep_what_was_fitted(tmp_path: Path) -> None:
    """The best submission that has references counts, and those without do not hide it."""
    fitted = Calibration(networks=4, reach=1.25, step_ns=-250, spread=0.9)
    plain = submission(range(5), started=2)
    known = submission(range(4), started=1)
    known = dataclasses.replace(known, results=dataclasses.replace(known.results, calibration=fitted))
    with ResultStore.open(str(tmp_path / "s.sqlite"), create=True) as store:
        store.add(plain)
        assert store.results(SystemQuery(system="lab")).calibration == Calibration()
        store.add(known)
        assert store.results(SystemQuery(system="lab")).calibration == fitted
        publish(store, tmp_path / "b.parquet")
    (read,) = Bundle.open(tmp_path / "b.parquet", lambda _: "").results_each(SystemQuery(system="lab"), [None])
    assert read.calibration == fitted


def test_the_host_of_a_device_is_fitted_to_whole_calls() -> None:
    """By the median of all networks, however few; their spread is never below what is usual."""
    point = {f"{part}_{end}": 9_000 for part in ("host", "device") for end in ("ns", "low_ns", "high_ns")}
    known = on_device({"a": QueueTimes(kernels=1, synchronises=False, **point)}, QUEUE)
    networks = [
        MeasuredNetwork(composition=composition(["a"] * count), results=known, measured_ns=round(count * each_ns))
        for count, each_ns in ((10, 9_900), (30, 10_800), (20, 11_700))
    ]
    found = fit_host(networks)
    assert found.networks == 3
    assert found.host == pytest.approx(1.2, rel=1e-3)
    assert USUAL_HOST_ERROR < found.host_spread < 0.1
    assert fit_host(networks[:1]).host == pytest.approx(1.1, rel=1e-3)
    lacking = dataclasses.replace(networks[0], composition=composition(["a", "b"]))
    assert fit_host([lacking]) == NOT_CALIBRATED
