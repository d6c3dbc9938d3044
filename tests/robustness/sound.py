"""Sound files, made here, of every kind that verbs read: what is changed is drawn from these."""

import atexit
import functools
import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import onnx
import onnx.backend.test

from dlbricks.plugins.repro.pieces import single_benchmark_suite
from dlbricks.plugins.trust.answering import CHALLENGE
from dlbricks.suite.manifest import read_network, read_suite
from dlbricks.suite.writing import suite_files
from tests.decoders import write_decoder
from tests.robustness import made
from tests.robustness.driver import called
from tests.robustness.emitted import SMOKE
from tests.robustness.packing import unzipped, zipped

ROOT = Path(__file__).parents[2]
SYSTEM = "fuzz"


@functools.cache
def networks() -> Sequence[bytes]:
    """Give small sound networks: those that come with onnx, and some with bodies, functions and sequences."""
    folder = Path(onnx.backend.test.__file__).parent / "data"
    found = [path.read_bytes() for path in sorted(folder.rglob("*.onnx")) if path.stat().st_size < 1 << 16]
    return [*found, *(one.SerializeToString() for one in made.networks())]


@functools.cache
def measured() -> Path:
    """Measure some small networks; give a folder with ``0.onnx``, ``store.sqlite`` and ``bundle.parquet``."""
    folder = Path(tempfile.mkdtemp(prefix="fuzz-"))
    owner = os.getpid()
    atexit.register(lambda: shutil.rmtree(folder) if os.getpid() == owner else None)
    for number, data in enumerate((*networks()[::600], *networks()[-2:])):
        (folder / f"{number}.onnx").write_bytes(data)
    store = ("--store", f"sqlite:///{folder / 'store.sqlite'}")
    commands: tuple[tuple[str | Path, ...], ...] = (
        ("generate", *sorted(folder.glob("*.onnx")), "-o", folder / "suite"),
        ("run", folder / "suite", "--smoke", "--name", SYSTEM, "-o", folder / "result.json"),
        ("submit", folder / "result.json", "--suite", folder / "suite", *store),
        ("publish", folder / "store.sqlite", "-o", folder / "bundle.parquet"),
    )
    for command in commands:
        outcome = called(command)
        assert outcome.kind == "ok", (command, outcome)
    return folder


@functools.cache
def decoder() -> Path:
    """Write a small decoder with its settings; give its folder."""
    folder = Path(tempfile.mkdtemp(prefix="fuzz-"))
    owner = os.getpid()
    atexit.register(lambda: shutil.rmtree(folder) if os.getpid() == owner else None)
    return write_decoder(folder, window=8)


@functools.cache
def profiled() -> Path:
    """Profile a small network; give a folder with ``profile.json``."""
    folder, network = measured(), measured() / "0.onnx"
    outcome = called(("profile", network, "--calls", "2", "--no-roofs", "-o", folder / "profile.json"))
    assert outcome.kind == "ok", outcome
    return folder


@functools.cache
def trace() -> bytes:
    """Give a short recorded trace."""
    document = json.loads(gzip.decompress((ROOT / "tests/data/kineto_cpu_training.json.gz").read_bytes()))
    return json.dumps({**document, "traceEvents": document["traceEvents"][:200]}).encode()


@functools.cache
def suite() -> Mapping[str, bytes]:
    """Give the files of a small suite by their places."""
    whole = read_suite(SMOKE)
    benchmark = next(one for one in whole.benchmarks if one.fingerprint.startswith("0"))
    kept = [one.fingerprint for one in whole.benchmarks if one.role != "sequence" or one is benchmark]
    networks = {one: read_network(SMOKE, one) for one in kept}
    return suite_files(single_benchmark_suite(whole, benchmark, networks), networks)


@functools.cache
def challenge() -> Path:
    """Make a challenge of a measured suite, with claims a hundred times too high, and answer it; give their folder.

    It is due in a year. Members are ``challenge.zip`` and ``answer.json``.
    """
    folder = measured()
    asked, answer = folder / "challenge.zip", folder / "answer.json"
    command: list[str | Path] = ["challenge", "make", folder / "result.json", "--suite", folder / "suite", "-o", asked]
    outcome = called([*command, "--time", "10ms", "--due", "8760h"])
    assert outcome.kind == "ok", outcome
    subprocess.run([sys.executable, "-I", asked, "-o", answer], check=True, capture_output=True)
    files = unzipped(asked.read_bytes())
    document = json.loads(files[CHALLENGE])
    for sequence in document["sequences"]:
        sequence["claimed_ns"] *= 100
    asked.write_bytes(zipped({**files, CHALLENGE: json.dumps(document).encode()}))
    return folder
