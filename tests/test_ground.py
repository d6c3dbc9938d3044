"""The shared ground: units, fingerprints, files that are whole or not there."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.errors import InputError
from dlbricks.files import read_text, refuse_unwritable, write_bytes, write_text, writing
from dlbricks.typed_json import canonical_json, digest_json
from dlbricks.units import counted, format_bytes, format_ns, parse_duration


@pytest.mark.parametrize(
    ("text", "ns"),
    [
        ("10m", 600_000_000_000),
        ("90", 90_000_000_000),
        ("1.5h", 5_400_000_000_000),
        ("250 ms", 250_000_000),
        ("7us", 7_000),
    ],
)
def test_durations_are_read_in_every_unit(text: str, ns: int) -> None:
    """A number with a unit becomes nanoseconds; a bare number is seconds."""
    assert parse_duration(text) == ns


@given(st.text(alphabet="0123456789.hmsn -x", max_size=6))
def test_a_text_is_a_duration_or_an_input_error(text: str) -> None:
    """Nothing else can come of it, and what comes is never negative."""
    try:
        assert parse_duration(text) >= 0
    except InputError as error:
        assert "invalid duration" in str(error)


def test_figures_carry_the_unit_that_suits_them() -> None:
    """Three or four digits, no trailing noise."""
    assert [format_ns(value) for value in (0, 999, 12_340, 12_340_000, 2_500_000_000)] == [
        "0 ns",
        "999 ns",
        "12.34 us",
        "12.34 ms",
        "2.5 s",
    ]
    assert [format_bytes(value) for value in (0, 1024, 2_621_440, 5 * 2**40)] == ["0 B", "1 KiB", "2.5 MiB", "5 TiB"]
    assert [counted(number, "error") for number in (0, 1, 2)] == ["0 errors", "1 error", "2 errors"]


@given(st.dictionaries(st.text(max_size=5), st.integers()))
def test_order_of_keys_does_not_change_identity(content: dict[str, int]) -> None:
    """Equal content gives equal bytes."""
    turned = dict(reversed(content.items()))
    assert canonical_json(content) == canonical_json(turned)
    assert digest_json(content) == digest_json(turned)


def test_a_failed_write_leaves_what_was_there(tmp_path: Path) -> None:
    """The old file stays whole and nothing else remains in the folder."""
    path = tmp_path / "kept.txt"
    write_text(path, "old")
    with pytest.raises(RuntimeError, match="half-way"), writing(path) as scratch:
        scratch.write_text("new")
        raise RuntimeError("half-way")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["kept.txt"]


def test_a_folder_is_replaced_whole(tmp_path: Path) -> None:
    """A folder that exists makes room for the new one, and only then."""
    for content in ("one", "two"):
        with writing(tmp_path / "suite") as scratch:
            scratch.mkdir()
            (scratch / content).write_text(content)
    assert os.listdir(tmp_path) == ["suite"]
    assert os.listdir(tmp_path / "suite") == ["two"]


def test_an_interruption_while_a_folder_is_replaced_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the two renames, where the folder is in neither place; it is raised again."""
    write_text(tmp_path / "suite" / "old", "")
    rename = Path.rename

    def interrupted(path: Path, target: Path) -> Path:
        if target == tmp_path / "suite" and path.name == "suite":
            raise KeyboardInterrupt
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", interrupted)
    with pytest.raises(KeyboardInterrupt), writing(tmp_path / "suite") as scratch:
        scratch.mkdir()
    assert os.listdir(tmp_path) == ["suite"]
    assert os.listdir(tmp_path / "suite") == ["old"]


@pytest.mark.parametrize(
    ("old", "is_own"),
    [("# mine", False), ("<p>", False), ("", True), ('{"name": "mine"}', False), ('{"format": "dlbricks-run"}', True)],
)
def test_a_file_is_replaced_by_one_of_its_kind_only(tmp_path: Path, old: str, *, is_own: bool) -> None:
    """A text that somebody wrote stays, and is refused before long work, too."""
    path = tmp_path / "README.md"
    path.write_text(old)
    if is_own:
        refuse_unwritable(path, b"{")
        write_text(path, '{"format": 1}')
        assert path.read_text() == '{"format": 1}'
        return
    refused = pytest.raises(InputError, match="dlbricks may not have written it; remove it, or name another file")
    with refused:
        refuse_unwritable(path, b"{")
    with refused:
        write_text(path, '{"format": 1}')
    assert path.read_text() == old


def test_a_file_never_replaces_a_pipe(tmp_path: Path) -> None:
    """Nor a device; it is refused before long work, too."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    for write in (refuse_unwritable, lambda place: write_text(place, "new")):
        with pytest.raises(InputError, match="pipe: it is not a regular file"):
            write(path)
    assert path.is_fifo()


def test_a_file_never_replaces_a_folder(tmp_path: Path) -> None:
    """What lies in a folder that was named by mistake stays."""
    write_text(tmp_path / "folder" / "mine.txt", "mine")
    with pytest.raises(InputError, match="it is a folder; name a file"):
        write_text(tmp_path / "folder", "new")
    assert (tmp_path / "folder" / "mine.txt").read_text() == "mine"
    assert os.listdir(tmp_path) == ["folder"]


def test_a_place_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    """A file where a folder is needed is the user's mistake, and said so."""
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"cannot write .*file/inner"):
        write_bytes(tmp_path / "file" / "inner", b"x")


def test_a_full_disk_is_one_line_and_keeps_the_old(tmp_path: Path) -> None:
    """When the device refuses more bytes, the old file stays."""
    path = tmp_path / "kept.bin"
    write_bytes(path, b"old")
    code = (
        "import resource, signal, sys; from pathlib import Path\n"
        "from dlbricks.files import write_bytes; from dlbricks.errors import InputError\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "try: write_bytes(Path(sys.argv[1]), bytes(5000))\n"
        "except InputError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    assert "cannot write" in done.stdout
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["kept.bin"]


def test_an_unreadable_text_is_one_line(tmp_path: Path) -> None:
    """Missing, a folder, or not UTF-8."""
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    for name in ("missing", ".", "binary"):
        with pytest.raises(InputError, match="cannot read suite"):
            read_text(tmp_path / name, what="suite")
