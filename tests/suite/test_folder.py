"""Suite folders and archives: written whole, read strictly, packed reproducibly, refused in one line when damaged."""

import gzip
import io
import os
import tarfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dlbricks.errors import InputError
from dlbricks.suite.manifest import SUFFIXES, pack, read_suite, unpacked_suite
from dlbricks.suite.writing import suite_files, write_suite
from tests.suite.suite_samples import small_suite, written_suite


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder with its bytes."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    """A written suite reads as it was, and nothing is wrong with it."""
    folder = written_suite(tmp_path)
    assert read_suite(folder) == small_suite()[0]
    read_suite(folder)
    assert contents(folder) == suite_files(*small_suite())


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_same_suite_gives_the_same_bytes(tmp_path: Path, suffix: str) -> None:
    """Folder and archive depend on the suite alone: not on place, time or what lies in the folder besides."""
    first, second = written_suite(tmp_path / "a"), written_suite(tmp_path / "b")
    (second / "weights").mkdir()
    (second / "weights" / "weights.float32.u-16.bin").write_bytes(b"made by a run")
    (second / "result.json").write_text("{}")
    os.utime(second / "run.py", (0, 0))
    archives = [folder.parent / f"vision-h4{suffix}" for folder in (first, second)]
    for folder, archive in zip((first, second), archives, strict=True):
        pack(folder, archive)
    assert archives[0].read_bytes() == archives[1].read_bytes()
    # two archives unpacked in one folder do not mix
    with tarfile.open(archives[0]) as opened:
        assert {Path(name).parts[0] for name in opened.getnames()} == {"vision-h4"}


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_packed_suite_is_a_suite(tmp_path: Path, suffix: str) -> None:
    """An archive reads like its folder and unpacks to the same files."""
    folder = written_suite(tmp_path)
    pack(folder, tmp_path / f"s{suffix}")
    assert read_suite(tmp_path / f"s{suffix}") == small_suite()[0]
    with unpacked_suite(tmp_path / f"s{suffix}") as unpacked:
        assert contents(unpacked) == contents(folder)


def test_an_older_suite_is_replaced_and_anything_else_is_not(tmp_path: Path) -> None:
    """Writing replaces a suite or an empty folder, and refuses what it would destroy."""
    suite, networks = small_suite()
    folder = written_suite(tmp_path)
    (folder / "networks" / "left_over.onnx").write_bytes(b"")
    write_suite(folder, suite, networks)
    read_suite(folder)
    (tmp_path / "empty").mkdir()
    write_suite(tmp_path / "empty", suite, networks)
    read_suite(tmp_path / "empty")
    for name in ("photos", "file", "other"):
        place = tmp_path / name
        if name == "file":
            place.write_text("mine")
        else:
            place.mkdir()
            (place / ("a.jpg" if name == "photos" else "suite.json")).write_text("{}")
        before = contents(tmp_path)
        with pytest.raises(InputError, match="not a dlbricks suite"):
            write_suite(place, suite, networks)
        assert contents(tmp_path) == before


def test_what_lies_beside_a_suite_is_not_lost(tmp_path: Path) -> None:
    """A result that was laid into the folder keeps the suite from being replaced; weights that a run wrote do not."""
    suite, networks = small_suite()
    folder = written_suite(tmp_path)
    (folder / "weights.float32.bin").write_bytes(b"1")
    write_suite(folder, suite, networks)
    (folder / "mine.json").write_text("{}")
    before = contents(tmp_path)
    with pytest.raises(InputError, match=r"holds mine\.json besides the suite: move it away"):
        write_suite(folder, suite, networks)
    assert contents(tmp_path) == before


def test_nothing_half_written_is_left_behind(tmp_path: Path) -> None:
    """A write that fails on its way leaves no trace; an older suite stays as it was."""
    suite, networks = small_suite()
    folder = written_suite(tmp_path)
    before = contents(tmp_path)
    with pytest.raises(KeyError):
        write_suite(folder, suite, dict(list(networks.items())[:2]))
    assert contents(tmp_path) == before
    assert [path.name for path in tmp_path.iterdir()] == ["suite"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("edit network", "was changed"),
        ("drop network", "is missing"),
        ("add network", "is not listed"),
        ("edit manifest", "was changed"),
        ("cut manifest", "is not valid JSON"),
        ("drop manifest", "it has no suite.json"),
        ("binary manifest", "not UTF-8"),
    ],
)
def test_a_suite_changed_by_hand_is_refused_with_the_file_named(tmp_path: Path, change: str, reason: str) -> None:
    """Whatever was changed, reading says which file it is, in one line."""
    folder = written_suite(tmp_path)
    network = min((folder / "networks").iterdir())
    manifest = folder / "suite.json"
    match change:
        case "edit network":
            network.write_bytes(network.read_bytes() + b"\0")
        case "drop network":
            network.unlink()
        case "add network":
            network.with_name("f" * 64 + ".onnx").write_bytes(network.read_bytes())
        case "edit manifest":
            manifest.write_text(manifest.read_text().replace('"seed": 3', '"seed": 4'))
        case "cut manifest":
            manifest.write_text(manifest.read_text()[:-20])
        case "drop manifest":
            manifest.unlink()
        case "binary manifest":
            manifest.write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match=reason) as caught:
        read_suite(folder)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["nowhere", "nowhere.tar.gz"])
def test_a_missing_suite_is_named(tmp_path: Path, name: str) -> None:
    """What does not exist is said to be no suite."""
    with pytest.raises(InputError, match=name):
        read_suite(tmp_path / name)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_damaged_files_give_one_line(tmp_path: Path, data: st.DataObject) -> None:
    """Truncated or overwritten manifests and archives are read, or refused in one line; there is no traceback."""
    folder = tmp_path / "suite"
    if not folder.exists():
        written_suite(tmp_path)
        for suffix in SUFFIXES:
            pack(folder, tmp_path / f"suite{suffix}")
    sound = tmp_path / data.draw(st.sampled_from(["suite/suite.json", "suite.tar.gz", "suite.tar.xz"]))
    kept = sound.read_bytes()
    damaged = bytearray(kept[: data.draw(st.integers(0, len(kept)))])
    for place in data.draw(st.lists(st.integers(0, max(0, len(damaged) - 1)), max_size=4)) if damaged else ():
        damaged[place] = data.draw(st.integers(0, 255))
    sound.write_bytes(bytes(damaged))
    try:
        read_suite(folder if sound.suffix == ".json" else sound)
    except InputError as error:
        assert "\n" not in str(error)
    finally:
        sound.write_bytes(kept)


@pytest.mark.parametrize("kind", ["outside", "absolute", "link", "device", "empty"])
def test_archives_that_reach_outside_are_refused(tmp_path: Path, kind: str) -> None:
    """Paths that lead out, links and devices in an archive are refused, and nothing is written outside."""
    name = {"outside": "../evil", "absolute": str(tmp_path / "evil")}.get(kind, "suite/evil")
    info = tarfile.TarInfo(name)
    info.type = {"link": tarfile.SYMTYPE, "device": tarfile.CHRTYPE}.get(kind, tarfile.REGTYPE)
    info.linkname = "/etc/passwd" if kind == "link" else ""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        if kind != "empty":
            archive.addfile(info)
    (tmp_path / "s.tar.gz").write_bytes(gzip.compress(buffer.getvalue()))
    with pytest.raises(InputError):
        read_suite(tmp_path / "s.tar.gz")
    assert [path.name for path in tmp_path.iterdir()] == ["s.tar.gz"]
