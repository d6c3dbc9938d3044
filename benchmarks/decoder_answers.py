"""Writes the tables of ``docs/decoders.md`` from answers that were estimated and measured.

``python benchmarks/decoder_answers.py row FILE.json RUN MODEL FORM LAYERS`` prints rows of CSV, one for each call of a
document of ``dlbricks llm validate --prompt -o FILE.json``; with ``head`` in their place the names of the columns.
``RUN`` is the number of the hour; bands (``bands.py``) are learned from all but the last, which judges them.
``python benchmarks/decoder_answers.py running FOLDER 128..4096 64 FILE.json`` answers prompts that double by so many
tokens in a plain loop, each once, and sets what that takes beside what measuring the pieces of FILE.json took.
``python benchmarks/decoder_answers.py tables ANSWERS.csv RUNNING.csv PAGE.md`` summarises such rows
between the two comments of the page that name this script: goals met and missed, and variants beside their originals.
``python benchmarks/decoder_answers.py goals ANSWERS.csv PAGE.md`` writes these tables between comments that name the
file, too.
Models by which faults of the estimates were found stand apart from the others.
"""

import csv
import json
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from dlbricks.harness.machine import small_blocks_held
from dlbricks.harness.session import SessionSettings
from dlbricks.model.read.network import find_networks, read_batched
from dlbricks.plugins.llm.decoder_loop import PlainLoop, filled
from dlbricks.plugins.llm.options import parse_sweep

Row = dict[str, str]
KEYS = ("run", "model", "form", "layers", "threads", "batch", "prompt", "generate", "chunk", "loop")
COLUMNS = (
    *KEYS,
    *("what", "past", "estimated_ms", "low_ms", "high_ms", "measured_ms", "measured_low_ms", "measured_high_ms"),
    *("answers", "disturbed", "answer_s", "pieces", "pieces_s"),
)
FIRST, NEXT, ALL = "first token", "next token", "in all"
GOALS = ((NEXT, "time per token", 3, 6), (FIRST, "time to the first token", 5, 10), (ALL, "end to end", 3, 8))
SCRIPT = "benchmarks/decoder_answers.py"
PLAIN = "plain loop"
LOOKED_AT = ("smollm2-135m",)
"""Models by which faults were found."""
FAR = 1024
ANSWERS = 3
"""Of a loop whose time is to be known as well as an estimate's."""


def rows(file: Path, run: str, model: str, form: str, layers: str) -> Iterable[Sequence[Any]]:
    """Give a row for each call of a document."""
    made = json.loads(file.read_text(encoding="utf-8"))
    threads = made["settings"]["threads"]
    for loop in made["loops"]:
        head = (run, model, form, layers, threads, made["batch"], made["prompt"], made["generate"], made["chunk"])
        answered = (loop["answers"], loop["disturbed"], round(loop["answer_ns"] / 1e9, 3))
        tail = (*answered, made["pieces"], round(made["pieces_ns"] / 1e9, 1))
        for call in loop["calls"]:
            times = [call["estimated"][name] for name in ("middle_ns", "low_ns", "high_ns")]
            times += [call["measured"][name] for name in ("middle_ns", "low_ns", "high_ns")]
            whole, low, high, *measured = (f"{one / 1e6:.3f}" for one in times)
            past = "" if call["past"] is None else call["past"]
            yield (*head, loop["loop"], call["what"], past, whole, low, high, *measured, *tail)


def error(row: Row) -> float:
    """Give estimated / measured - 1, in percent."""
    return 100 * (float(row["estimated_ms"]) / float(row["measured_ms"]) - 1)


def inside(row: Row) -> bool:
    """Say whether what was measured lies in the interval."""
    return float(row["low_ms"]) <= float(row["measured_ms"]) <= float(row["high_ms"])


def width(row: Row) -> float:
    """Give the width of the interval, in percent of the estimate."""
    return 100 * (float(row["high_ms"]) - float(row["low_ms"])) / float(row["estimated_ms"])


def of(found: Sequence[Row], what: str) -> list[Row]:
    """Choose rows of one kind of call."""
    return [row for row in found if row["what"] == what]


def running(folder: str, span: str, generate: int, file: Path) -> Sequence[Any]:
    """Answer prompts in a loop; give how long it took, and measuring the pieces of a document."""
    asked = parse_sweep(f"prompt={span}", None, generate)
    room = asked[-1][0] + generate
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as scratch:
        path = find_networks([folder])[0]
        model = read_batched(path, dims={"past": room, "sequence": 1}, batch=None)
        decoder = filled(path, model, Path(scratch), batch=1)
        with small_blocks_held():
            loop = PlainLoop(decoder, SessionSettings(), room=room)
        loop.answer(1, 1)
        answers = [loop.answer(*one) for one in asked]
    took = sum(sum(one.calls_ns) + one.between_ns for one in answers) / 1e9
    pieces = json.loads(file.read_text(encoding="utf-8"))["pieces_ns"] / 1e9
    return Path(folder).name, span, generate, f"{took:.1f}", f"{pieces:.1f}"


def goals_table(found: Sequence[Row], ran: Sequence[Row]) -> list[str]:
    """Say of each goal what was reached.

    By the plain loop for models that were looked at and for others, by genai, and with two threads.
    """
    alone = [row for row in found if row["threads"] == "1"]
    plain = [row for row in alone if row["loop"] == PLAIN]
    groups = (
        [row for row in plain if row["model"] in LOOKED_AT],
        [row for row in plain if row["model"] not in LOOKED_AT],
        [row for row in alone if row["loop"] != PLAIN],
        [row for row in found if row["threads"] != "1"],
    )
    lines = ["| | goal | plain loop, SmolLM2 | plain loop, others | onnxruntime-genai | two threads | |"]
    lines.append("| --- | --- | --- | --- | --- | --- | --- |")

    def say(name: str, goal: str, reached: Sequence[tuple[str, bool]]) -> None:
        judged = "met" if all(good for _, good in reached) else "missed"
        lines.append(f"| {name} | {goal} | {' | '.join(text for text, _ in reached)} | {judged} |")

    for what, name, middle, high in GOALS:
        say(f"{name}, median / 90th", f"{middle} / {high} %", [errors(of(one, what), middle, high) for one in groups])
    far = [[abs(error(row)) for row in of(one, NEXT) if int(row["past"]) >= FAR] for one in groups]
    reached = [(f"{max(one):.1f} % of {len(one)}", max(one) <= 3) if one else ("", True) for one in far]
    say(f"a step behind {FAR:,} tokens and more, worst", "3 %", reached)
    run = max((row["run"] for row in found), default="")
    last = [[row for row in one if row["run"] == run] for one in groups]
    both = []
    for one in last:
        share, wide = (100 * float(np.mean([inside(row) for row in one])), median(map(width, one))) if one else (100, 0)
        both.append((f"{share:.0f} / {wide:.0f} %" if one else "", share >= 90 and wide <= 10))
    say("inside its interval / width in the middle, last hour", "90 / 10 %", both)
    for row in ran:
        pieces, took = float(row["pieces_s"]), float(row["running_s"])
        cost = f"{pieces:.0f} s of pieces, {ANSWERS} x {took:.0f} s of answers"
        share = pieces / (ANSWERS * took)
        name = f"measuring beside running prompts of {row['prompts']} tokens and {row['generate']} more"
        say(name, "a tenth", [(f"{cost}: {100 * share:.0f} %", share <= 0.1), *[("", True)] * 3])
    return lines


def errors(found: Sequence[Row], middle: float, high: float) -> tuple[str, bool]:
    """Say how far off estimates are, and whether that is as near as is asked."""
    if not found:
        return "", True
    off = [abs(error(row)) for row in found]
    reached = float(np.median(off)), float(np.percentile(off, 90))
    return f"{reached[0]:.1f} / {reached[1]:.1f} % of {len(off)}", reached[0] <= middle and reached[1] <= high


def variants_table(found: Sequence[Row]) -> list[str]:
    """Set how much faster variants were said to be beside how much faster they were, end to end."""
    wholes = [row for row in of(found, ALL) if row["loop"] == PLAIN]
    same = ("run", "model", "layers", "threads", "batch", "prompt", "generate", "chunk")
    lines: dict[str, str] = {}

    def say(what: str, times: float, measured: float) -> None:  # of several hours the last one
        lines[what] = f"| {what} | {times:.2f} x | {measured:.2f} x | {100 * (times / measured - 1):+.1f} % |"

    for row in wholes:
        form, _, change = row["form"].partition(" ")
        before = next(
            (one for one in wholes if one["form"] == form and all(one[key] == row[key] for key in same)), None
        )
        if change and before:
            times, measured = (float(before[key]) / float(row[key]) for key in ("estimated_ms", "measured_ms"))
            say(f"{row['model']} {form}, {row['prompt']} + {row['generate']}: {change}", times, measured)
    head = ["| what if | estimated | measured | off |", "| --- | ---: | ---: | ---: |"]
    return [*head, *lines.values()] if lines else []


def tables(found: Sequence[Row], ran: Sequence[Row]) -> str:
    """Write all tables."""
    worst = max(found, key=lambda row: abs(error(row)))
    waited = sum(int(row["disturbed"]) for row in of(found, ALL))
    place = f" behind {int(worst['past']):,} tokens" if worst["past"] else ""
    all_answers = sum(int(row["answers"]) for row in of(found, ALL))
    note = (
        f"Furthest off: {worst['model']} {worst['form']}, {worst['what']}{place}, {error(worst):+.1f} %. "
        f"{waited} of {all_answers} answers had calls that waited for a processor, which do not count. {apart(found)}"
    )
    parts = (goals_table(found, ran), [note], variants_table(found))
    return "\n\n".join("\n".join(part) for part in parts if part)


def apart(found: Sequence[Row]) -> str:
    """Say how far the steps of two loops over one decoder are from each other, in the same run."""
    steps: dict[tuple[str, ...], list[float]] = {}
    for row in of(found, NEXT):
        call = (*(row[key] for key in KEYS if key != "loop"), row["past"])
        steps.setdefault(call, []).append(float(row["measured_ms"]))
    off = [100 * abs(one[0] / one[1] - 1) for one in steps.values() if len(one) == 2]
    if not off:
        return ""
    return (
        f"Steps of the two loops over one decoder differ by {np.median(off):.1f} % in the middle and "
        f"{np.percentile(off, 90):.1f} % at the 90th percentile, in the same minutes."
    )


def read(file: Path) -> list[Row]:
    """Read a file; none where it does not exist."""
    if not file.is_file():
        return []
    with file.open(encoding="utf-8", newline="") as opened:
        return list(csv.DictReader(opened))


def main() -> None:
    """Read the command line."""
    verb, *given = sys.argv[1:]
    if verb == "head":
        print(*COLUMNS, sep=",")
    elif verb == "row":
        csv.writer(sys.stdout, lineterminator="\n").writerows(rows(Path(given[0]), *given[1:]))
    elif verb == "running":
        print("model,prompts,generate,running_s,pieces_s")
        print(*running(given[0], given[1], int(given[2]), Path(given[3])), sep=",")
    elif verb == "goals":
        answers, page = map(Path, given)
        found = read(answers)
        parts = (goals_table(found, []), variants_table(found))
        write(page, f"{SCRIPT} {answers.name}", "\n\n".join("\n".join(part) for part in parts if part))
    else:
        *files, page = map(Path, given)
        write(page, SCRIPT, tables(*map(read, files)))


def write(page: Path, mark: str, text: str) -> None:
    """Put a text between the comments of a page that name ``mark``."""
    begin, end = f"<!-- {mark}: begin -->", f"<!-- {mark}: end -->"
    before, _, rest = page.read_text(encoding="utf-8").partition(begin)
    _, _, after = rest.partition(end)
    page.write_text(f"{before}{begin}\n\n{text}\n\n{end}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
