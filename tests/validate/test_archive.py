import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest

from dlbricks.construct.rules import Rule
from dlbricks.errors import InputError
from dlbricks.validate.archive import KeptRun, kept_bytes, kept_paths, read_kept, write_kept
from dlbricks.validate.recompute import Again, recompute
from tests.validate.made_up_runs import kept_run

SEQUENTIAL = Rule.parse("sequential")


def test_what_is_kept_is_read(tmp_path: Path) -> None:
    """A run survives its file, samples and profile included."""
    write_kept(tmp_path, kept_run())
    (path,) = kept_paths(tmp_path)
    assert path.name == "made_up.json.gz"
    assert read_kept(path) == kept_run()


def test_the_same_run_gives_the_same_bytes() -> None:
    """Nothing of the moment of writing is in the file."""
    assert kept_bytes(kept_run()) == kept_bytes(kept_run())


def test_runs_are_compared_again_without_measuring(tmp_path: Path) -> None:
    """Runs of the same settings give a validation; the rule may be another one than then."""
    write_kept(tmp_path, kept_run())
    made = recompute(Again(kept=kept_paths(tmp_path)))
    assert [one.model for one in made.models] == ["made_up"]
    assert made.settings.rule == "sequential"
    parallel = recompute(Again(kept=kept_paths(tmp_path), rule=Rule.parse("parallel")))
    assert parallel.settings.rule == "parallel"


def _written(folder: Path, name: str, run: KeptRun) -> None:
    (folder / f"{name}.json.gz").write_bytes(kept_bytes(run))


def test_runs_of_other_settings_do_not_mix(tmp_path: Path) -> None:
    """One folder holds one kind of run."""
    run = kept_run()
    _written(tmp_path, "a", run)
    _written(tmp_path, "b", replace(run, facts=replace(run.facts, settings=replace(run.facts.settings, threads=2))))
    with pytest.raises(InputError, match="measured otherwise"):
        recompute(Again(kept=kept_paths(tmp_path)))


def test_pairs_that_were_not_measured_are_not_made_up(tmp_path: Path) -> None:
    """The rule of pairs needs unions of sequences, which only a run that was asked for them has."""
    write_kept(tmp_path, kept_run())
    with pytest.raises(InputError, match="--rule pairs"):
        recompute(Again(kept=kept_paths(tmp_path), rule=Rule.parse("pairs")))


def _changed(**changes: object) -> bytes:
    content = json.loads(gzip.decompress(kept_bytes(kept_run())))
    return gzip.compress(json.dumps({**content, **changes}).encode())


BROKEN = {
    "nothing": b"",
    "no gzip": b"{}",
    "cut off": kept_bytes(kept_run())[:-100],
    "no JSON": gzip.compress(b"{"),
    "no run": gzip.compress(b'{"format": "dlbricks-suite"}'),
    "another version": _changed(schema_version=99),
    "no facts": _changed(facts=None),
    "wrong facts": _changed(facts={"whole": 3}),
    "no result": _changed(result=None),
    "wrong result": _changed(result={"format": "dlbricks-submission"}),
}


@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN)
def test_other_files_are_refused_in_one_line(tmp_path: Path, data: bytes) -> None:
    """A file that is no kept run is named, not a traceback."""
    path = tmp_path / "x.json.gz"
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"x\.json\.gz") as caught:
        read_kept(path)
    assert "\n" not in str(caught.value)


def test_folders_without_runs_are_refused(tmp_path: Path) -> None:
    """No folder, no runs in it, or none of the network that is wanted."""
    for folder, models, said in (
        (tmp_path / "none", (), "no folder"),
        (tmp_path, (), "no kept runs"),
    ):
        with pytest.raises(InputError, match=said):
            kept_paths(folder, models)
    write_kept(tmp_path, kept_run())
    with pytest.raises(InputError, match="no run of other; it has made_up"):
        kept_paths(tmp_path, ["other"])
