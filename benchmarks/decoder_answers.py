"""Writes the tables of ``docs/language-models.md`` from answers that were estimated and measured.

``python benchmarks/decoder_answers.py row FILE.json RUN MODEL FORM LAYERS`` prints rows of CSV, one for each call of a
document of ``dlbricks llm validate --prompt -o FILE.json``; with ``head`` in their place the names of the columns.
``RUN`` is the number of the hour; bands (``bands.py``) are learned from all but the last, which judges them.
``python benchmarks/decoder_answers.py tables ANSWERS.csv PAGE.md`` summarises such rows between the comments of the
page that name the file: errors, and those of variants. Models by which faults of the estimates were found
stand apart from the others.
"""

import csv
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from archives import markdown, put_table

Row = dict[str, str]
KEYS = ("run", "model", "form", "layers", "threads", "batch", "prompt", "generate", "chunk", "loop")
COLUMNS = (
    *KEYS,
    *("what", "past", "estimated_ms", "low_ms", "high_ms", "measured_ms", "measured_low_ms", "measured_high_ms"),
    *("answers", "disturbed", "answer_s", "pieces", "pieces_s"),
)
NEXT, ALL = "next token", "in all"
CALLS = ((NEXT, "time per token"), ("first token", "time to the first token"), (ALL, "end to end"))
GROUPS = ("SmolLM2", "other models", "onnxruntime-genai", "two threads")
PLAIN = "plain loop"
LOOKED_AT = ("smollm2-135m",)
"""Models by which faults were found."""
FAR = 1024


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


def answers_table(found: Sequence[Row]) -> str:
    """Say how far off estimates are: of a plain loop, models looked at and others apart; of genai; of two threads."""
    alone = [row for row in found if row["threads"] == "1"]
    plain = [row for row in alone if row["loop"] == PLAIN]
    groups = (
        [row for row in plain if row["model"] in LOOKED_AT],
        [row for row in plain if row["model"] not in LOOKED_AT],
        [row for row in alone if row["loop"] != PLAIN],
        [row for row in found if row["threads"] != "1"],
    )
    cells = [[name, *(errors(of(one, what)) for one in groups)] for what, name in CALLS]
    far = [[abs(error(row)) for row in of(one, NEXT) if int(row["past"]) >= FAR] for one in groups]
    cells.append(
        [f"a step behind {FAR:,} tokens and more, worst", *(f"{max(one):.1f} %" if one else "" for one in far)]
    )
    run = max((row["run"] for row in found), default="")
    last = [[row for row in one if row["run"] == run] for one in groups]
    shares = [
        f"{100 * float(np.mean([*map(inside, one)])):.0f} / {median(map(width, one)):.0f} %" if one else ""
        for one in last
    ]
    cells.append(["inside its interval / median width, last hour", *shares])
    return markdown(["error, median / 90th percentile", *GROUPS], cells)


def errors(found: Sequence[Row]) -> str:
    """Say how far off estimates are."""
    if not found:
        return ""
    off = [abs(error(row)) for row in found]
    return f"{np.median(off):.1f} / {np.percentile(off, 90):.1f} % of {len(off)}"


def variants(found: Sequence[Row]) -> str:
    """Say how far off the gains of variants are, end to end in a plain loop; of several hours the last one."""
    wholes = [row for row in of(found, ALL) if row["loop"] == PLAIN]
    same = ("run", "model", "layers", "threads", "batch", "prompt", "generate", "chunk")
    off: dict[str, dict[str, float]] = {}
    for row in wholes:
        form, _, change = row["form"].partition(" ")
        before = next(
            (one for one in wholes if one["form"] == form and all(one[key] == row[key] for key in same)), None
        )
        if change and before:
            gain, measured = (float(before[key]) / float(row[key]) for key in ("estimated_ms", "measured_ms"))
            off.setdefault(change, {})[f"{row['model']} {form}"] = 100 * (gain / measured - 1)
    named = {change: change.removesuffix("s") if change.startswith("1 ") else change for change in off}
    shown = (
        f"{named[change]} {', '.join(f'{one:+z.1f}'.replace('+0.0', '0.0') for one in of.values())} %"
        for change, of in off.items()
    )
    return f"Gains of variants, estimated against measured: {'; '.join(shown)}.\n"


def main() -> None:
    """Read the command line."""
    verb, *given = sys.argv[1:]
    if verb == "head":
        print(*COLUMNS, sep=",")
    elif verb == "row":
        csv.writer(sys.stdout, lineterminator="\n").writerows(rows(Path(given[0]), *given[1:]))
    else:
        answers, page = map(Path, given)
        with answers.open(encoding="utf-8", newline="") as opened:
            found = list(csv.DictReader(opened))
        put_table(answers.name, f"{answers_table(found)}\n{variants(found)}", page)


if __name__ == "__main__":
    main()
