"""A reproduction as one file that runs alone, and what it gives away."""

from pathlib import Path
from typing import Any

from dlbricks.files import write_bytes
from dlbricks.repro.pieces import NetworkPiece
from dlbricks.repro.search import Question, Reproduction, Slower
from dlbricks.suite.benchmarks import anchors
from dlbricks.suite.reading import single, zipped
from dlbricks.suite.writing import SuiteHead, assemble, pair_files, render_repro_main, suite_files, target_here


def write_reproduction(out: Path, piece: NetworkPiece, slower: Slower, made: Reproduction, question: Question) -> None:
    """Write a piece as a zip application; raises InputError where it cannot be written."""
    built = (*anchors(), piece.built)
    head = SuiteHead(name="repro", granularity="1", splitter="block", target=target_here("portable"), seed=0)
    networks = {one.benchmark.fingerprint: one.network for one in built}
    suite = single(assemble(head, built), piece.built.benchmark, networks)
    benchmark = next(one for one in suite.benchmarks if one.fingerprint == slower.fingerprint)
    found: dict[str, Any] = {
        "fingerprint": slower.fingerprint,
        "runtimes": list(made.runtimes),
        "options": [[list(pair) for pair in side.options] for side in question.sides],
        "threads": question.threads,
        "ratio": round(slower.found.ratio, 4),
        "low": round(slower.found.low, 4),
        "high": round(slower.found.high, 4),
        "pairs": slower.found.pairs,
    }
    main = render_repro_main(suite, benchmark, found).encode()
    write_bytes(out, zipped({**suite_files(suite, networks), **pair_files(), "__main__.py": main}))


def given_away(piece: NetworkPiece) -> str:
    """Say in a line what the file tells about the network."""
    benchmark = piece.built.benchmark
    shapes = ", ".join(
        f"{one.dtype} {'x'.join(map(str, one.shape)) or 'scalar'}" for one in (*benchmark.inputs, *benchmark.outputs)
    )
    return (
        f"it tells operators ({', '.join(benchmark.operators)}), attributes, shapes and element types ({shapes}), "
        "versions and session options of both runtimes, and the ratio; it holds no trained values, no name of the "
        "network, its layers or tensors, nothing else of this machine"
    )
