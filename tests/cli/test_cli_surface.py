import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import click
import pytest

import dlbricks as package
from dlbricks.cli.app import main
from dlbricks.cli.options import ManyOptionsCommand
from dlbricks.store.database import ResultStore
from tests.cli.invoking import Run
from tests.store.stored import submission

NETWORKS = Path(__file__).parents[2] / "suites" / "networks"
SMALL = str(NETWORKS / "misc_lstm_lm.onnx")
OPEN = str(NETWORKS / "leg_hf_distilbert.onnx")
HEAVY = ("numpy", "onnx", "onnxruntime", "rich", "sqlalchemy", "jsonschema", "plotly")
VERBS = (
    "demo", "quick", "inspect", "lower", "generate", "extract", "leakage", "grid", "run", "check", "submit",
    "challenge", "withdraw", "key", "suites", "systems", "query", "publish", "compare", "repro", "coverage", "plan",
    "estimate", "validate", "profile", "analyse", "export", "report", "site", "whatif", "doctor", "llm",
)  # fmt: skip
MOST_OPTIONS = 15
RECORDED = str(Path(__file__).parents[1] / "data" / "kineto_cpu_training.json.gz")
RESULT = str(Path(__file__).parents[1] / "data" / "submission_smoke.json")
SMOKE = str(NETWORKS.parent / "smoke")
FINGERPRINT = next((NETWORKS.parent / "smoke" / "networks").iterdir()).stem


def test_the_verbs_are_those_of_the_manual() -> None:
    """Nothing is missing, nothing is there unannounced."""
    assert sorted(main.list_commands(click.Context(main))) == sorted(VERBS)


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_explains_itself(dlbricks: Run, verb: str) -> None:
    """A verb and each of its options have help, and --json is among them; --help shows at most 15 options."""
    command = main.get_command(click.Context(main), verb)
    assert command is not None
    parts = command.commands if isinstance(command, click.Group) else {"": command}
    for name, one in parts.items():
        assert one.help
        assert one.short_help
        options = [option for option in one.params if isinstance(option, click.Option)]
        assert all(option.help for option in options)
        # what the demo prints is what its commands print
        assert verb == "demo" or any("--json" in option.opts for option in options)
        shown = dlbricks(verb, *([name] if name else []), "--help").stdout
        listed = [line for line in shown.partition("\nOptions:\n")[2].splitlines() if re.match("  -", line)]
        assert len(listed) <= MOST_OPTIONS
        if isinstance(one, ManyOptionsCommand):
            assert {option.opts[0] for option in options} >= one.basic - {"--help"}
            assert len(listed) == len(one.basic)
        brief, shown = shown, dlbricks(verb, *([name] if name else []), "--help-all").stdout
        assert isinstance(one, ManyOptionsCommand) or shown == brief
        assert all(option.opts[-1] in shown for option in options)


def test_help_is_quick_because_it_loads_nothing() -> None:
    """Before a verb runs no heavy library is imported, nor to show what ``inspect`` and ``generate`` found.

    Tables, estimates and suites load no library of databases: only a store does.
    """
    found = f"print([name for name in {HEAVY} if name in sys.modules])\n"
    code = f"import sys, dlbricks.cli\n{found}import dlbricks.report.results\n{found}"
    code += "import dlbricks.api.suites, dlbricks.report.estimates, dlbricks.report.tables, dlbricks.suite.generate\n"
    code += "print('sqlalchemy' in sys.modules)\n"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).splitlines() == ["[]", "['rich']", "False"]


def test_nothing_asked_gives_the_help(dlbricks: Run) -> None:
    """Without a verb the verbs are listed."""
    shown = dlbricks().stdout
    assert all(f"  {verb} " in shown for verb in VERBS)


def test_choices_are_those_of_the_library() -> None:
    """The names that the command line offers are the names that the library knows."""
    from dlbricks.model.lowering.onnxruntime_cpu import CUDA_TARGET, TARGET
    from dlbricks.plugins.llm.decoder_variants import BITS
    from dlbricks.plugins.llm.options import WEIGHTS
    from dlbricks.sequences.split import SPLITTERS as KNOWN
    from dlbricks.settings import SPLITTERS, TARGETS

    assert sorted(SPLITTERS) == sorted(KNOWN)
    assert TARGETS == ("portable", TARGET, CUDA_TARGET, "openvino")
    assert tuple(BITS) == WEIGHTS


def test_version(dlbricks: Run) -> None:
    """--version says which dlbricks this is."""
    assert package.__version__ in dlbricks("--version").stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["estimate"], "Missing argument"),
        (["coverage", SMALL], "--system"),
        (["fly"], "No such command"),
        (["estimat", "x"], "No such command 'estimat': did you mean 'estimate'?"),
        (["lower", "x.onnx", "-o", "y.onnx"], "-o y.onnx: each network gets a file of its own: name a folder"),
        (["inspect", SMALL, "--target", "gpu"], "portable"),
        (["inspect", SMALL, "-H", "0"], "granularity"),
        (["inspect", SMALL, "--dim", "batch"], "NAME=VALUE"),
        (["inspect", SMALL, "--dim", "batch=-1"], "a whole number from 0 up"),
        (["inspect", SMALL, "--dim", "n=1", "--dim", "n=2"], "twice"),
        (["inspect", SMALL, "--dim", "sequ=4"], "no dimension 'sequ'; open dimensions: none"),
        (
            ["inspect", SMALL, OPEN, "--dim", "sequ=4"],
            "none of 2 networks has a dimension 'sequ'; open dimensions: batch, seq",
        ),
        (["estimate", OPEN, "--system", "s", "--dim", "sequ=4"], "no dimension 'sequ'"),
        (["validate", SMALL, OPEN, "--dim", "input_ids:2=4"], "a dimension 'input_ids:2'"),
        (["profile", SMALL, "--dim", "sequ=4"], "no dimension 'sequ'"),
        (["inspect", "nowhere.onnx"], "does not exist"),
        (["run", "nowhere", "-o", "r.json"], "nowhere"),
        (["run", "nowhere", "-o", "r.json", "--target-error", "3"], "between 0 and 1"),
        (["run", "nowhere", "-o", "r.json", "--budget", "soon"], "duration"),
        (["check", "nowhere.json"], "cannot read"),
        (["submit", "nowhere.json"], "cannot read"),
        (["systems", "--store", "nowhere.sqlite"], "does not exist"),
        (["query", "--store", "mysql://x/y"], "unsupported database 'mysql' of a store"),
        (["estimate", SMALL, "--system", "s", "--rule", "lanes:0"], "invalid rule"),
        (["generate", SMALL, "-o", f"{SMALL}/suite"], "cannot write"),
        (["profile", SMALL, "-o", f"{SMALL}/p.json"], "cannot write"),
        (["profile", SMALL, SMALL, "-o", SMALL], "it is a file"),
        (["validate", SMALL, "-o", f"{SMALL}/v.json"], "cannot write"),
        (["validate", SMALL, "-o", "."], "it is a folder"),
        (["validate", SMALL, "--keep", SMALL], "it is a file"),
        (["validate"], "MODEL..."),
        (["validate", SMALL, "--batch", "0"], "error: --batch: invalid number '0': expected a whole number from 1 up"),
        (
            ["run", "nowhere", "-o", "r.json", "--threads", "0"],
            "error: --threads: invalid threads '0'",
        ),
        (["inspect", SMALL, "--target", "x"], "error: --target: 'x' is not one of"),
        (
            ["generate", SMALL, "-o", "suite", "--executor", "ray"],
            "unknown executor 'ray': expected NAME or NAME:ADDRESS of a plug-in",
        ),
        (["suites", "--add", SMALL], "is not a suite: write a suite of a network with"),
        (["validate", SMALL, "--resume"], "-o FILE"),
        # without -o the input's mistake comes first
        (["lower", __file__], "is not an ONNX file"),
        (["lower", SMALL], "-o is missing: name the folder for the graphs"),
        (["export", __file__], "test_cli_surface.py"),
        (["publish", "nowhere.sqlite"], "does not exist"),
        (["site", "nowhere.sqlite"], "does not exist"),
        (["publish", "bundle:b.parquet", "-o", "c.parquet"], "bundle:b.parquet is a bundle, not a store"),
        (["suites", "--store", "bundle:b.parquet"], "bundle:b.parquet is a bundle, not a store"),
        (
            ["inspect", RESULT],
            "is not an ONNX file; it is JSON, such as a result or a trace: name the network that was measured",
        ),
        (["quick", RESULT], "it is JSON, such as a result"),
        (["plan", SMALL, "--system", "s"], "has no results of system s"),
        (["grid", "nowhere.onnx", "--system", "s"], "does not exist"),
        (["llm", "plan", "nowhere.onnx", "--system", "s"], "does not exist"),
        (["challenge", "make", "nowhere.json", "--suite", "s"], "cannot read"),
        (["extract", "nowhere", "abc"], "nowhere"),
    ],
)
def test_mistakes_are_one_line_and_exit_code_2(dlbricks: Run, arguments: list[str], message: str) -> None:
    """What is wrong is said in one line on stderr; stdout stays empty."""
    result = dlbricks(*arguments, code=2)
    lines = result.stderr.strip().splitlines()
    assert lines[-1].startswith("error: ")
    assert message in lines[-1]
    assert len(lines) == 1
    assert result.stdout == ""


def test_a_plan_of_an_unusable_network_says_so_before_it_needs_a_place(dlbricks: Run) -> None:
    """And a plan without gaps needs none."""
    error = dlbricks("plan", __file__, "--system", "intel-xeon-amx", code=2).stderr
    assert "test_cli_surface.py is not an ONNX file" in error
    assert "no suite was written" in dlbricks("plan", SMALL, "--system", "intel-xeon-amx").stdout


def test_a_dimension_that_no_network_has_leaves_nothing(dlbricks: Run, tmp_path: Path) -> None:
    """A wrong name writes no suite; one that only some of the networks have is good."""
    command = ["generate", SMALL, OPEN, "-H", "inf", "-o", "suite", "--dim", "batch=1", "--dim", "seq=8"]
    error = dlbricks(*command, "--dim", "sequ=4", code=2).stderr
    assert error == "error: --dim sequ=4: none of 2 networks has a dimension 'sequ'; open dimensions: batch, seq\n"
    assert list(tmp_path.iterdir()) == []
    dlbricks(*command)


def test_what_is_not_installed_is_exit_code_3(dlbricks: Run) -> None:
    """A provider that the runtime lacks is refused before anything is measured."""
    dlbricks("generate", SMALL, "-o", "suite")
    assert "execution provider" in dlbricks("run", "suite", "-o", "r.json", "--provider", "nonesuch", code=3).stderr
    assert "execution provider" in dlbricks("validate", SMALL, "--provider", "nonesuch", code=3).stderr


@pytest.mark.parametrize("form", ["--json", "--layers"])
@pytest.mark.parametrize("reader", ["true", "head -c 10"])
def test_a_closed_pipe_is_no_error(form: str, reader: str) -> None:
    """``dlbricks ... | head`` ends quietly, however early the reader goes."""
    command = f"{sys.executable} -m dlbricks inspect --layers {form} {NETWORKS / 'hf_gpt2.onnx'} | {reader}"
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_module_is_the_command() -> None:
    """``python -m dlbricks`` and ``dlbricks`` are the same."""
    done = subprocess.run([sys.executable, "-m", "dlbricks", "--version"], capture_output=True, text=True, check=True)
    assert package.__version__ in done.stdout
    assert os.environ["DLBRICKS_STORE"].startswith("sqlite:////")


def test_a_fault_of_dlbricks_is_one_line(dlbricks: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """What nobody foresaw is told in one line, with a way to report it; the traceback is there for who asks."""

    def fault(*_: object, **__: object) -> None:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr("dlbricks.cli.results.open_store", fault)
    error = dlbricks("systems", code=70).stderr
    assert error.count("\n") == 1
    assert "unexpected ZeroDivisionError: by zero" in error
    assert "DLBRICKS_DEBUG=1" in error
    monkeypatch.setenv("DLBRICKS_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        dlbricks("systems")


def test_what_fails_while_an_interruption_passes_is_the_interruption(
    dlbricks: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lock that is taken at that moment cannot be released."""

    def interrupted(*_: object, **__: object) -> None:
        try:
            raise KeyboardInterrupt
        finally:
            threading.Lock().release()

    monkeypatch.setattr("dlbricks.cli.results.open_store", interrupted)
    assert dlbricks("systems", code=130).stderr == "error: interrupted\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("report", RECORDED),
        ("export", RECORDED),
        ("whatif", RECORDED, "--apply", "scale:0.5"),
        ("extract", SMOKE, FINGERPRINT),
        ("publish", "store.sqlite"),
        ("repro", SMALL, "--option-b", "session.disable_prepacking=1"),
        ("withdraw", "r.json", "--reason", "a test", "--key", "key"),
        ("key", "here", "--next", "key.pub", "--reason", "a test", "--key", "key"),
        ("profile", SMALL, "--calls", "2", "--no-roofs"),
        ("validate", SMALL, "--smoke"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_finished_file_is_kept_without_force(dlbricks: Run, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """Of every verb that writes one file: one line, before any work, says how to replace the file."""
    finished = tmp_path / "finished.json"
    finished.write_text('{"format": "dlbricks-profile"}')
    line = f"error: {finished} exists: pass another file to -o, or --force to replace it\n"
    assert dlbricks(*arguments, "-o", str(finished), code=2).stderr == line
    assert finished.read_text() == '{"format": "dlbricks-profile"}'
    assert os.listdir(tmp_path) == [finished.name]


def test_force_replaces_a_finished_file(dlbricks: Run, tmp_path: Path) -> None:
    """Also the file that a verb names itself; an empty file needs no --force."""
    with ResultStore.open(str(tmp_path / "store.sqlite"), create=True) as opened:
        opened.add(submission(range(2)))
    (tmp_path / "r.html").touch()
    ways = (
        ("report", RECORDED, "-o", "r.html"),
        ("export", RECORDED, "-o", "t.json.gz"),
        ("whatif", RECORDED, "--apply", "scale:0.5", "-o", "w.json"),
        ("publish", "store.sqlite", "-o", "b.parquet"),
        ("extract", SMOKE, FINGERPRINT),
    )
    for arguments in ways:
        dlbricks(*arguments)
        before = {file: file.stat().st_ino for file in tmp_path.iterdir() if file.is_file()}
        assert "exists: pass another file to -o" in dlbricks(*arguments, code=2).stderr
        assert {file: file.stat().st_ino for file in before} == before
        dlbricks(*arguments, "--force")
        assert sum(file.stat().st_ino != number for file, number in before.items()) >= 1


def test_lower_keeps_files_that_it_did_not_write(dlbricks: Run, tmp_path: Path) -> None:
    """It replaces its own; another file is refused before a network is read, and so is a file named as the folder."""
    for _ in range(2):
        dlbricks("lower", SMALL, "-o", "low")
    notes = tmp_path / "low" / "mine.onnxruntime-cpu.onnx"
    for file in (notes, tmp_path / "mine.onnx"):
        file.write_text("my notes")
    line = f"error: cannot write low/{notes.name}: dlbricks may not have written it; remove it, or name another file\n"
    assert dlbricks("lower", "mine.onnx", "-o", "low", code=2).stderr == line
    assert notes.read_text() == "my notes"
    (tmp_path / "result.json").write_text("{}")
    line = "error: cannot write into result.json: it is a file; name a folder\n"
    assert dlbricks("lower", SMALL, "-o", "result.json", code=2).stderr == line
