"""What ``--json`` prints of every verb is a document with a schema, and stays one."""

import functools
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest

from dlbricks.cli.app import main
from dlbricks.profile import experiment
from dlbricks.profile.roofs import Effort, measure_roofs
from tests.cli.invoking import Run
from tests.decoders import write_decoder
from tests.documents import PRINTED, printed, validator

DATA = Path(__file__).parents[1] / "data"
RECORDED = DATA / "printed.jsonl"
"""A document of each kind, one in a line, printed when its version began."""
SUITES = Path(__file__).parents[2] / "suites"
NETWORK = str(SUITES / "networks" / "misc_lstm_lm.onnx")
HERE = ("--system", "here")
DECODED = ("--dim", "past=0,8,32", "--dim", "sequence=1,4,8")

WAY: tuple[tuple[str, ...], ...] = (
    ("quick", NETWORK, "--budget", "2s"),
    ("inspect", NETWORK),
    ("lower", NETWORK, "-o", "lowered"),
    ("generate", NETWORK, "-o", "suite"),
    ("extract", "suite", "", "-o", "one.pyz"),
    ("leakage", "suite", "--zoo", NETWORK),
    ("run", "suite", "-o", "r.json", "--smoke", "--name", "here"),
    ("run", "suite", "-o", "two.json", "--smoke", "--name", "here", "--threads", "1,2"),
    ("check", "r.json"),
    ("check", "two.threads-1.json", "two.threads-2.json"),
    ("suites", "--add", "suite"),
    ("submit", "r.json"),
    ("submit", "sent"),
    ("systems",),
    ("systems", "--all"),
    ("query",),
    ("publish", "store.sqlite", "-o", "b.parquet"),
    ("compare", "here", "here"),
    ("repro", NETWORK, "--option-b", "session.disable_prepacking=1", "--budget", "1s"),
    ("site", "-o", "pages"),
    ("coverage", NETWORK, *HERE),
    ("estimate", NETWORK, *HERE),
    ("llm", "estimate", "decoder", "--system", "decoding", *DECODED, "--prompt", "6", "--generate", "20"),
    ("llm", "estimate", "decoder", "--system", "decoding", *DECODED, "--sweep", "prompt=6..10"),
    ("plan", NETWORK, *HERE, "-H", "2", "-o", "rest"),
    ("grid", NETWORK, *HERE, "-o", "on_grid"),
    ("challenge", "make", "r.json", "--suite", "suite", "-o", "C.zip", "--time", "1s"),
    ("challenge", "verify", "C.zip", "answer.json"),
    ("challenge", "audit", "r.json", "--reason", "a test"),
    ("withdraw", "r.json", "--reason", "a test"),
    ("key", "here"),
    ("validate", NETWORK, "--smoke", "--keep", "runs"),
    ("llm", "validate", "decoder", *DECODED, "--prompt", "6", "--generate", "4", "--smoke"),
    ("profile", NETWORK, "--calls", "3", "--no-roofs", "-o", "p.json"),
    ("analyse", "p.json", "--only", "A1,A2"),
    ("report", "p.json"),
    ("export", "p.json", "-o", "t.json"),
    ("whatif", "p.json", "--apply", "scale:0.5"),
    ("whatif", "p.json", "--advise"),
    ("whatif", "--list"),
    ("doctor", "--roofs"),
)
"""Every verb, and every kind of document that it prints."""


def recorded() -> dict[str, Any]:
    """Read the documents that were recorded, by kind."""
    lines = map(json.loads, RECORDED.read_text(encoding="utf-8").splitlines())
    return {line["format"].removeprefix("dlbricks-"): line for line in lines}


def test_every_verb_prints_its_document(
    dlbricks: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, rewrite_golden: bool
) -> None:
    """``--json`` is a flag of every verb but ``demo``; what it prints has every field of its schema, and no other.

    With ``--golden``, kinds that none is recorded of are.
    """
    monkeypatch.setattr(
        experiment,
        "measure_roofs",
        functools.partial(measure_roofs, effort=Effort(least_calls=2, rate_ns=1, long_ns=1, sizes=(64,))),
    )
    write_decoder(tmp_path / "decoder")
    dlbricks("generate", "decoder", *DECODED, "-o", "steps")
    dlbricks("run", "steps", "-o", "steps.json", "--smoke", "--name", "decoding")
    dlbricks("submit", "steps.json", "--suite", "steps")
    kinds = []
    for arguments in WAY:
        given = [next((tmp_path / "suite" / "networks").iterdir()).stem if one == "" else one for one in arguments]
        if arguments[:2] == ("challenge", "verify"):
            subprocess.run([sys.executable, "C.zip"], check=True, capture_output=True)
        if arguments == ("submit", "sent"):
            (tmp_path / "sent").mkdir()
            shutil.copy("r.json", "sent")
        text = dlbricks(*given, "--json").stdout
        kinds.append(printed(text))
        if rewrite_golden and kinds[-1] not in recorded():
            lines = recorded() | {kinds[-1]: json.loads(text)}
            made = [json.dumps(lines[kind], separators=(",", ":")) + "\n" for kind in sorted(lines)]
            RECORDED.write_text("".join(made), encoding="utf-8")
    assert set(kinds) == set(PRINTED)
    assert {arguments[0] for arguments in WAY} == set(main.list_commands(click.Context(main))) - {"demo"}


@pytest.mark.parametrize("kind", sorted(PRINTED))
def test_within_a_version_nothing_is_taken_away(kind: str) -> None:
    """A document that was printed when its version began passes the schema of now, which may name more fields."""
    document = recorded()[kind]
    assert document["schema_version"] == PRINTED[kind][1], "of another version: record one with make golden"
    validator(kind, whole=False).validate(document)
