"""Sets estimates of speculative decoding beside what two decoders really take that answer a prompt so.

``python benchmarks/speculation.py LARGE SMALL --prompt 256 --generate 64 --ahead 4 --accept 0.7`` measures the pieces
of both at the lengths that ``generate --prompt --ahead`` chooses. Before and after, twice each, a loop over
onnxruntime answers the prompt by LARGE alone and with SMALL that drafts: ``ahead`` steps of the one, a call of ``ahead
+ 1`` tokens of the other. How many drafted tokens are taken is no draw of a model with made-up weights: it is spread
evenly so that the share asked for is met. Prints one line of CSV, with ``--head`` the names of its columns before.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from dlbricks.harness.machine.memory import small_blocks_held
from dlbricks.harness.session import SessionSettings
from dlbricks.model.read.network import find_networks, read_batched
from dlbricks.validate.decoder_loop import FilledDecoder, PlainLoop, filled

COLUMNS = (
    "large,small,prompt,generate,ahead,accepted,estimated_ms,low_ms,high_ms,measured_ms,estimated_times,measured_times"
)
ANSWERS = 2
_GOLDEN = 0.6180339887498949


def taken(ahead: int, accepted: float) -> Iterator[int]:
    """Give how many of the drafted tokens each round takes, evenly spread over a uniform number."""
    number = 0.5
    while True:
        yield sum(number < accepted**place for place in range(1, ahead + 1))
        number = (number + _GOLDEN) % 1


def speculative_ns(
    large: PlainLoop, small: PlainLoop, prompt: int, generate: int, ahead: int, accepted: float
) -> float:
    """Answer once; give the time of the prompt by both and of all further tokens, choosing them left out."""
    text, drafted = np.ones((1, prompt), np.int64), np.ones((1, ahead + 1), np.int64)
    first = sum(one.call(text, 0, turn=0)[1] for one in (large, small))
    spent, made = 0, 0
    for one in taken(ahead, accepted):
        if made >= generate - 1:
            break
        past = prompt + made
        spent += sum(small.call(drafted[:, :1], past + step, turn=0)[1] for step in range(ahead))
        spent += large.call(drafted, past, turn=0)[1]
        made += one + 1
    return first + spent / made * (generate - 1)


def dlbricks(*arguments: str) -> str:
    """Run a command; give what it prints."""
    done = subprocess.run(
        [sys.executable, "-m", "dlbricks", *arguments], stdout=subprocess.PIPE, text=True, check=True, encoding="utf-8"
    )
    return done.stdout


def estimated(folders: Sequence[str], asked: Sequence[str], given: argparse.Namespace, scratch: Path) -> Any:
    """Measure the pieces of both decoders and estimate; give the document."""
    suite, result, store = (str(scratch / name) for name in ("suite", "result.json", "store.db"))
    ahead = ("--ahead", str(given.ahead))
    dlbricks("generate", *folders, *asked, *ahead, "--target", "onnxruntime-cpu", "-o", suite)
    dlbricks("run", suite, "-o", result, "--name", "box", "--budget", given.budget)
    dlbricks("submit", result, "--suite", suite, "--store", store)
    draft = ("--draft", folders[1], *ahead, "--accept", str(given.accept))
    where = ("--system", "box", "--store", store)
    return json.loads(dlbricks("estimate", folders[0], *where, *asked, *draft, "--json"))


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("large")
    parser.add_argument("small")
    for name, usual in (("prompt", 256), ("generate", 64), ("ahead", 4)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    parser.add_argument("--accept", type=float, default=0.7)
    parser.add_argument("--budget", default="30s")
    parser.add_argument("--head", action="store_true")
    given = parser.parse_args()
    folders, lengths = (given.large, given.small), (given.prompt, given.generate)
    room = sum(lengths) + given.ahead + 1
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as folder:
        scratch, decoders = Path(folder), list[FilledDecoder]()
        for path in (find_networks([one])[0] for one in folders):
            place = scratch / f"filled-{len(decoders)}"
            place.mkdir()
            model = read_batched(path, dims={"past": given.prompt, "sequence": 1}, batch=None)
            decoders.append(filled(path, model, place, batch=1))
        with small_blocks_held():  # as the run of the pieces will
            loops = [PlainLoop(one, SessionSettings(), room=room) for one in decoders]
        alone, helped = list[float](), list[float]()
        for turn in range(2):
            for _ in range(ANSWERS):
                alone.append(sum(loops[0].answer(*lengths).calls_ns))
                helped.append(speculative_ns(loops[0], loops[1], *lengths, given.ahead, given.accept))
            if not turn:
                asked = ("--prompt", str(given.prompt), "--generate", str(given.generate))
                made = estimated(folders, asked, given, scratch)
    whole = made["whole"]
    figures = [whole["middle_ns"], whole["low_ns"], whole["high_ns"], median(helped)]
    if given.head:
        print(COLUMNS)
    print(
        *(Path(one).name for one in folders),
        *(*lengths, given.ahead, given.accept),
        *(f"{one / 1e6:.3f}" for one in figures),
        *(f"{one:.3f}" for one in (made["speedup"], median(alone) / median(helped))),
        sep=",",
    )


if __name__ == "__main__":
    main()
