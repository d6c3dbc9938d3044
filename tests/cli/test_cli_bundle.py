"""Bundles through the program itself: published, asked, and hostile ones refused in a line, with bounded memory."""

import json
import os
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

SMALL = str(Path(__file__).parents[2] / "suites" / "networks" / "misc_lstm_lm.onnx")
MOST_BYTES = (2 << 30) + (1 << 29)
"""Of memory that a reader may have, and the program beside it."""


_MEASURED = """
import pathlib, resource, subprocess, sys
code = subprocess.run([sys.executable, "-m", "dlbricks", *sys.argv[1:]]).returncode
pathlib.Path("peak").write_text(str(1024 * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
sys.exit(code)
"""
"""A small process in between: what a process had before it became another program counts as its own."""


def call(folder: Path, *arguments: str) -> tuple[int, str, str]:
    """Run the program in a folder; gives exit code, output and errors, and sees that memory stayed bounded."""
    done = subprocess.run(
        [sys.executable, "-c", _MEASURED, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "DLBRICKS_STORE": f"sqlite:///{folder}/store.sqlite", "HOME": str(folder)},
    )
    assert int((folder / "peak").read_text()) < MOST_BYTES
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store of one system, a key, and the signed bundle of it."""
    folder = tmp_path_factory.mktemp("published")
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / "key"], check=True)
    for command in (
        ("generate", SMALL, "-o", "suite"),
        ("run", "suite", "-o", "result.json", "--name", "lab", "--smoke"),
        ("submit", "result.json", "--suite", "suite"),
        ("publish", "store.sqlite", "-o", "all.parquet", "--key", "key"),
    ):
        code, _, error = call(folder, *command)
        assert code == 0, error
    return folder


@pytest.fixture
def bundle(published: Path, tmp_path: Path) -> Path:
    """A copy of the signed bundle in the test's own folder."""
    for name in ("all.parquet", "all.parquet.sig"):
        (tmp_path / name).write_bytes((published / name).read_bytes())
    return tmp_path / "all.parquet"


def estimate(bundle: Path, *options: str) -> tuple[int, str, str]:
    """Ask a bundle for a network's latency."""
    return call(bundle.parent, "estimate", SMALL, "--system", "lab", "--bundle", bundle.name, *options)


def test_a_bundle_answers_what_its_store_does(published: Path, bundle: Path) -> None:
    """The same figures; who signed it is told."""
    code, answer, remarks = estimate(bundle, "--json")
    assert code == 0, remarks
    assert "signed by SHA256:" in remarks
    _, expected, _ = call(published, "estimate", SMALL, "--system", "lab", "--json")
    (found,), (wanted,) = (json.loads(one)["networks"] for one in (answer, expected))
    assert (found["total_ns"], found["missing"]) == (wanted["total_ns"], [])


def test_a_key_that_cannot_sign_leaves_the_older_bundle(published: Path, bundle: Path) -> None:
    """Nothing is half-written: bundle and signature stay as they were."""
    before = {path.name: path.read_bytes() for path in bundle.parent.glob("all.*")}
    store = str(published / "store.sqlite")
    for key in ("absent", bundle.name):
        code, _, error = call(bundle.parent, "publish", store, "-o", bundle.name, "--key", key)
        assert (code, len(error.splitlines()), error[:7]) == (2, 1, "error: "), error
    after = {path.name: path.read_bytes() for path in bundle.parent.iterdir() if path.name != "peak"}
    assert after == before


def _flipped(bundle: Path) -> None:
    data = bytearray(bundle.read_bytes())
    data[100] ^= 1
    bundle.write_bytes(data)


def _of_another_file(bundle: Path) -> None:
    key = bundle.with_name("key")
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    other = bundle.with_name("other")
    other.write_bytes(b"something else")
    subprocess.run(["ssh-keygen", "-q", "-Y", "sign", "-n", "dlbricks", "-f", key, other], check=True)
    bundle.with_name("other.sig").replace(bundle.with_name("all.parquet.sig"))


def _unsigned(bundle: Path) -> Path:
    bundle.with_name("all.parquet.sig").unlink()
    return bundle


def _cut(bundle: Path) -> None:
    data = _unsigned(bundle).read_bytes()
    bundle.write_bytes(data[: len(data) // 2])


def _footer_without_end(bundle: Path) -> None:
    data = _unsigned(bundle).read_bytes()
    bundle.write_bytes(data[:-8] + struct.pack("<I", 0x7FFFFFFF) + b"PAR1")


def _many_rows(bundle: Path) -> None:
    """Two million rows, each 1024 times by a footer that names the same pages again and again: 2 * 10^9 rows."""
    found = pq.read_table(_unsigned(bundle)).slice(0, 1)
    rows = found.take(pa.array([0] * 2_000_000, pa.int32()))
    pq.write_table(rows, bundle, compression="zstd", row_group_size=2_000_000)
    data, head = bundle.read_bytes(), pq.read_metadata(bundle)
    for _ in range(10):
        head.append_row_groups(head)
    footer = bundle.with_name("footer")
    head.write_metadata_file(footer)
    end = len(data) - 8 - struct.unpack("<I", data[-8:-4])[0]
    bundle.write_bytes(data[:end] + footer.read_bytes()[4:])
    assert pq.read_metadata(bundle).num_rows == 2_048_000_000
    assert bundle.stat().st_size < 10_000_000


def _with(bundle: Path, count: int = 1, **columns: Any) -> None:
    """Repeat the first row with other columns, each value written once."""
    found = pq.read_table(_unsigned(bundle)).slice(0, 1).take(pa.array([0] * count, pa.int32()))
    for name, value in columns.items():
        repeated = pa.DictionaryArray.from_arrays(pa.array([0] * count, pa.int32()), pa.array([value]))
        found = found.set_column(found.column_names.index(name), name, repeated)
    metadata = pq.read_schema(bundle).metadata
    pq.write_table(found.replace_schema_metadata(metadata), bundle, compression="zstd")
    assert bundle.stat().st_size < 1_000_000


def _long_text(bundle: Path) -> None:
    """A thousand times eight million characters, written once."""
    _with(bundle, 1000, features="9" * 8_000_000)


def _many_objects(bundle: Path) -> None:
    _with(bundle, features='{"operators":[' + "[]," * 3_000_000 + "[]]}")


def _deep(bundle: Path) -> None:
    _with(bundle, features="[" * (1 << 20))


def _elsewhere(bundle: Path) -> None:
    """A footer alone, whose columns lie in a file outside of the folder, as Parquet allows."""
    secret = bundle.parent.parent / "secret.parquet"
    secret.write_bytes(_unsigned(bundle).read_bytes())
    head = pq.read_metadata(bundle)
    head.set_file_path(f"../{secret.name}")
    head.write_metadata_file(bundle)


def _other_types(bundle: Path) -> None:
    _with(bundle, latency_ns="many")


@pytest.mark.parametrize(
    ("damage", "code", "part"),
    [
        (_flipped, 1, "the signature is not valid"),
        (_of_another_file, 1, "the signature is not valid"),
        (_cut, 2, "all.parquet is not a bundle, or is damaged: "),
        (_footer_without_end, 2, "all.parquet is not a bundle, or is damaged: "),
        (_many_rows, 2, "bundle all.parquet is refused: "),
        (_long_text, 2, "bundle all.parquet is refused: "),
        (_many_objects, 2, "all.parquet"),
        (_deep, 2, "all.parquet"),
        (_elsewhere, 2, "bundle all.parquet is damaged: "),
        (_other_types, 2, "all.parquet"),
    ],
)
def test_hostile_bundles(bundle: Path, damage: Callable[[Path], None], code: int, part: str) -> None:
    """Each is refused in one line, by the documented exit code."""
    damage(bundle)
    found, answer, remarks = estimate(bundle)
    *before, error = remarks.splitlines()
    assert (found, answer) == (code, ""), remarks
    assert [one for one in before if not one.startswith("split as measured on lab: ")] == []
    assert error.startswith(f"error: {part}")
