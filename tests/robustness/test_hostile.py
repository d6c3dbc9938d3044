"""Files made to do harm: read or refused in one line, within bounds; nothing of them is run or printed raw."""

import contextlib
import functools
import gzip
import importlib.util
import io
import json
import os
import subprocess
import sys
import tarfile
import warnings
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dlbricks.errors import InputError
from dlbricks.files import write_bytes
from dlbricks.suite.manifest import MANIFEST, content_digest, read_network, read_suite
from dlbricks.suite.writing import suite_files
from tests.robustness import sound
from tests.robustness.driver import Limits, Outcome, called
from tests.suite.suite_samples import runnable_smoke

ROOT = Path(__file__).parents[2]
SMOKE = ROOT / "tests" / "data" / "submission_smoke.json"
LIMITS = Limits(seconds=30, memory_bytes=2 << 30)
ESCAPES = "\x1b[31mred\x1b]0;title\x07"


def tar(*members: tuple[str, bytes] | tarfile.TarInfo) -> bytes:
    """Pack members as they are given; a TarInfo has no content."""
    buffer = io.BytesIO()
    with gzip.GzipFile(fileobj=buffer, mode="wb", mtime=0) as stream, tarfile.open(fileobj=stream, mode="w") as packed:
        for one in members:
            if isinstance(one, tarfile.TarInfo):
                packed.addfile(one)
            else:
                info = tarfile.TarInfo(one[0])
                info.size = len(one[1])
                packed.addfile(info, io.BytesIO(one[1]))
    return buffer.getvalue()


def special(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    """A member that is no plain file."""
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.devmajor, info.devminor = kind, target, 1, 5
    return info


def zeros(count: int) -> bytes:
    """So many MiB of zeros, compressed: streams of 64 MiB behind one another."""
    return gzip.compress(bytes(64 << 20), mtime=0) * (count // 64)


@functools.cache
def bomb() -> bytes:
    """Some 10 MB that become 10 GiB."""
    return zeros(10 << 10)


def claimed(size: int, kind: bytes = tarfile.REGTYPE) -> bytes:
    """An archive whose only member says that it has so many bytes, which follow as a bomb."""
    info = tarfile.TarInfo("suite/suite.json")
    info.size, info.type = size, kind
    return gzip.compress(info.tobuf(format=tarfile.GNU_FORMAT), mtime=0) + bomb()


def zipped(*members: tuple[str, bytes]) -> bytes:
    """Pack members into a zip file, doubled ones included."""
    buffer = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        warnings.simplefilter("ignore", UserWarning)  # of doubled names
        for name, data in members:
            packed.writestr(zipfile.ZipInfo(name), data)
    return buffer.getvalue()


def encrypted() -> bytes:
    """A zip file that says that its member has a password."""
    data = bytearray(zipped(("suite.json", b"{}")))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + offset] |= 1
    return bytes(data)


ARCHIVES: dict[str, Callable[[], bytes]] = {
    "outside": lambda: tar(("../planted", b"x")),
    "absolute": lambda: tar(("/tmp/dlbricks-planted", b"x")),  # noqa: S108 - it must not come to be
    "symbolic link": lambda: tar(special("suite/suite.json", tarfile.SYMTYPE, "/etc/passwd")),
    "link into": lambda: tar(special("suite", tarfile.SYMTYPE, "/tmp"), ("suite/planted", b"x")),  # noqa: S108
    "hard link": lambda: tar(special("suite/suite.json", tarfile.LNKTYPE, "/etc/passwd")),
    "device": lambda: tar(special("suite/suite.json", tarfile.CHRTYPE)),
    "pipe": lambda: tar(special("suite/suite.json", tarfile.FIFOTYPE)),
    "doubled": lambda: tar(("suite/suite.json", b"{}"), ("suite/suite.json", b"{}")),
    "file in file": lambda: tar(("suite", b"x"), ("suite/suite.json", b"{}")),
    "large member": lambda: claimed(10 << 30),
    "large header": lambda: claimed(10 << 30, tarfile.XHDTYPE),
    "large name": lambda: claimed(1 << 30, tarfile.GNUTYPE_LONGNAME),
    "negative": lambda: claimed(-5),
    "zeros": bomb,
    "escapes": lambda: tar((f"suite/{ESCAPES}", b"x"), special(ESCAPES, tarfile.FIFOTYPE)),
    "zip outside": lambda: zipped(("../planted", b"x")),
    "zip doubled": lambda: zipped(("suite.json", b"{}"), ("suite.json", b"{}")),
    "zip bomb": lambda: zipped(*((f"{number}", bytes(64 << 20)) for number in range(9))),
    "zip password": encrypted,
    "deep manifest": lambda: tar(("suite/suite.json", b"[" * 10**6)),
    "deep object": lambda: tar(("suite/suite.json", b'{"a":' * 10**6)),
    "empty": lambda: b"",
}


def fine(outcome: Outcome) -> None:
    """See that an outcome is what a user may see: no escape raw, one line of error."""
    assert outcome.fine, (outcome.kind, outcome.said[-2000:])
    assert "\x1b" not in outcome.said + outcome.printed


@pytest.mark.parametrize("name", ARCHIVES)
def test_archives_that_no_suite_is_are_refused(name: str, tmp_path: Path) -> None:
    """Bombs, links, devices, paths that lead outside, doubled members: refused, nothing written beside."""
    given = tmp_path / "given.tar.gz"
    given.write_bytes(ARCHIVES[name]())
    outcome = called(["extract", given, "0", "-o", tmp_path / "out.pyz"], LIMITS)
    fine(outcome)
    assert outcome.kind == "refused"
    assert [path.name for path in tmp_path.iterdir()] == ["given.tar.gz"]


def test_what_a_manifest_says_is_written_or_refused(tmp_path: Path) -> None:
    """No text of a stranger's suite that reads well stops its templates: whatever has a meaning in one is refused."""
    files, folder = sound.suite(), tmp_path / "suite"
    for name, data in files.items():
        write_bytes(folder / name, data)
    document = json.loads(files[MANIFEST])
    networks = {one.fingerprint: read_network(folder, one.fingerprint) for one in read_suite(folder).benchmarks}
    taken = []
    for holder, key in texts(document):
        usual = holder[key]
        for character in "!*`|<{\"'":
            holder[key] = usual[:1] + character + usual[1:]
            document["digest"] = content_digest(document)
            (folder / MANIFEST).write_text(json.dumps(document))
            with contextlib.suppress(InputError):
                suite = read_suite(folder)
                taken.append((key, character))
                suite_files(suite, networks)
        holder[key] = usual
    assert taken


def texts(value: Any) -> Iterator[tuple[Any, Any]]:
    """Give where each text of a document is, of lists only the first."""
    for key in value if isinstance(value, dict) else range(min(1, len(value))):
        if isinstance(value[key], str):
            yield value, key
        elif isinstance(value[key], dict | list):
            yield from texts(value[key])


def deep(count: int) -> bytes:
    """Lists in lists."""
    return b"[" * count + b"]" * count


def changed(key: str, text: str) -> bytes:
    """A sound result in which the name of the system, or another text, is replaced by JSON text."""
    document = json.loads(SMOKE.read_bytes())
    document["system"][key] = "@here@"
    return json.dumps(document).replace('"@here@"', text).encode()


RESULTS: dict[str, Callable[[], bytes]] = {
    "deep": lambda: deep(10**6),
    "deep object": lambda: b'{"a":' * 10**6 + b"1" + b"}" * 10**6,
    "deep inside": lambda: changed("name", deep(10**6).decode()),
    "many lists": lambda: b"[" + b"[]," * (20 << 20) + b"1]",
    "many numbers": lambda: b"[" + b"1," * (30 << 20) + b"1]",
    "beyond a float": lambda: changed("name", "1e400"),
    "not a number": lambda: changed("name", "NaN"),
    "long integer": lambda: changed("name", "9" * 100_000),
    "doubled key": lambda: changed("name", '"a", "name": "b"'),
    "lone surrogate": lambda: changed("name", '"\\ud800"'),
    "escapes": lambda: changed("name", json.dumps(ESCAPES)),
    "raw escapes": lambda: changed("name", f'"{ESCAPES}"'),
    "script": lambda: changed("name", '"<script>alert(1)</script>"'),
    "query": lambda: changed("name", '"x\'; drop table system; --"'),
    "other format": lambda: json.dumps({"format": ESCAPES}).encode(),
    "bytes": lambda: bytes(range(256)) * 100,
    "utf-16": lambda: SMOKE.read_text().encode("utf-16"),
}


@pytest.mark.parametrize(
    ("name", "verb"), [*((name, "check") for name in RESULTS), ("escapes", "submit"), ("script", "submit")]
)
def test_results_made_to_do_harm(name: str, verb: str, tmp_path: Path) -> None:
    """What a result says is bounded, and no control sequence in it reaches the terminal."""
    given = tmp_path / "given.json"
    given.write_bytes(RESULTS[name]())
    store = ["--store", f"sqlite:///{tmp_path / 'store.sqlite'}"]
    fine(called([verb, given, *(store if verb == "submit" else [])], LIMITS))
    if verb == "submit":
        fine(called(["systems", *store], LIMITS))


TWICE: dict[str, bytes] = {
    "check": changed("name", '"a", "name": "b"'),
    "analyse": changed("name", '"a", "n\\u0061me": "b"'),
    "report": b'{"format": "dlbricks-profile", "name": "a", "name": "b"}',
    "suites": tar(("suite/suite.json", b'{"format": "dlbricks-suite", "name": "a", "name": "b"}')),
    "challenge": zipped(("challenge.json", b'{"format": "dlbricks-challenge", "name": "a", "name": "b"}')),
}
"""Files of dlbricks in which two readers may see different names, under one signature."""


@pytest.mark.parametrize("verb", TWICE)
def test_a_key_twice_in_one_object_is_refused(verb: str, tmp_path: Path) -> None:
    """Results, traced results, profiles, manifests and challenges: in one line that names the key."""
    given = tmp_path / ("given.tar.gz" if verb == "suites" else "given.json")
    given.write_bytes(TWICE[verb])
    (tmp_path / "answer.json").write_text('{"format": "dlbricks-challenge-answer"}')
    more: dict[str, list[str | Path]] = {
        "report": ["-o", tmp_path / "page.html"],
        "suites": ["--store", f"sqlite:///{tmp_path / 'store.sqlite'}"],
        "challenge": [tmp_path / "answer.json"],
    }
    first = {"suites": ["--add"], "challenge": ["verify"]}
    outcome = called([verb, *first.get(verb, []), given, *more.get(verb, [])], LIMITS)
    fine(outcome)
    assert (outcome.code, "duplicate key 'name'" in outcome.reason) == (2, True), outcome.said


def test_a_file_of_500_mb_is_refused_unread(tmp_path: Path) -> None:
    """Size is looked at first, whatever is in the file; a device without end is one, too."""
    given = tmp_path / "given.json"
    with given.open("wb") as file:
        file.truncate(500 << 20)
    for path in (given, Path("/dev/zero")):
        for verb in ("check", "analyse"):
            outcome = called([verb, path], LIMITS)
            fine(outcome)
            assert outcome.kind == "refused"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names of files")
def test_names_that_are_no_text(tmp_path: Path) -> None:
    """A file, a file of a folder, or an argument whose bytes are no UTF-8: one line, and nothing written."""
    name = os.fsdecode(b"a\xffb")
    (tmp_path / f"{name}.onnx").write_bytes((ROOT / "tests" / "data" / "tutorial.onnx").read_bytes())
    out = ["-o", str(tmp_path / "out")]
    for arguments in (
        ["generate", str(tmp_path / f"{name}.onnx"), *out],
        ["generate", str(tmp_path), *out],
        ["systems", "--store", f"sqlite:///{tmp_path}/{name}.sqlite"],
        ["site", "--title", name, *out],
    ):
        outcome = called(arguments, LIMITS)
        fine(outcome)
        assert (outcome.code, "contains bytes that are not UTF-8" in outcome.reason) == (2, True), outcome
    assert len(os.listdir(tmp_path)) == 1


def events(count: int, event: Callable[[int], str]) -> bytes:
    """A trace of so many events."""
    return gzip.compress(f'{{"traceEvents":[{",".join(map(event, range(count)))}]}}'.encode(), 1, mtime=0)


def span(number: int, *, lane: int = 1, begin: int = 0, lasting: int = 1, phase: str = "X") -> str:
    """One operator of a trace."""
    return (
        f'{{"ph":"{phase}","cat":"cpu_op","name":"aten::mm","pid":1,"tid":{lane},"ts":{begin},"dur":{lasting},'
        f'"args":{{"External id":{number}}}}}'
    )


def launched(number: int, *, begin: int = 0, lasting: int = 1, stream: int = 7) -> str:
    """A launch and its kernel."""
    about = f'"args":{{"correlation":{number + 1},"stream":{stream},"device":0}}'
    times = f'"ts":{begin},"dur":{lasting}'
    return (
        f'{{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,{times},{about}}},'
        f'{{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":{stream},{times},{about}}}'
    )


def spaces(count: int) -> bytes:
    """The beginning of a trace, and so many times 64 MiB of nothing behind it."""
    return gzip.compress(b'{"traceEvents":[', mtime=0) + gzip.compress(b" " * (64 << 20), mtime=0) * count


COUNT = int(os.environ.get("DLBRICKS_EVENTS", "2000"))
"""Of a trace; a million is what ``DLBRICKS_EVENTS`` tries."""
TRACES: dict[str, Callable[[int], bytes]] = {
    "one stamp": lambda count: events(count, span),
    "points in spans": lambda count: events(count, lambda number: span(number, lasting=number % 2)),
    "no end": lambda count: events(count, lambda number: span(number, begin=number, phase="B")),
    "only ends": lambda count: events(count, lambda number: span(number, begin=number, phase="E")),
    "many lanes": lambda count: events(count, lambda number: span(number, lane=number % 10_000, begin=number)),
    "nested": lambda count: events(count, lambda number: span(number, begin=number, lasting=2 * (count - number))),
    "crossing": lambda count: events(count, lambda number: span(number, begin=number, lasting=count)),
    "launches": lambda count: events(count // 2, launched),
    "names": lambda count: events(
        count // 2, lambda number: launched(number, begin=number).replace("gemm", f"k{number}")
    ),
    "kernels beside": lambda count: events(
        count // 2, lambda number: launched(number, begin=10 * number, lasting=10 * count)
    ),
    "streams without number": lambda count: events(
        count // 2, lambda number: launched(number, begin=10 * number, stream=number % 9_000)
    ),
    "deep": lambda count: gzip.compress(b'{"traceEvents":[{"args":' + deep(count * 10) + b"}]}"),
    "beyond": lambda count: events(min(count, 100), lambda number: span(number, begin=10**400)),
    "zeros": lambda _: bomb(),
    "spaces": lambda count: spaces(min(80, count // 500)),
    "streams": lambda count: gzip.compress(b"", mtime=0) * count,
    "escapes": lambda _: events(3, lambda number: span(number, begin=number).replace("aten::mm", "\\u001b[31mred")),
}


READERS: dict[str, tuple[str, ...]] = {
    "analyse": (),
    "whatif": ("--apply", "scale:0.5"),
    "export": ("-o", "out.json"),
    "export otlp": ("-o", "out.jsonl.gz"),
    "report": ("-o", "out.html"),
}


@pytest.mark.parametrize("name", TRACES)
def test_traces_made_to_do_harm(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Spans at one stamp, without end, on lanes without number, bombs: read or refused, within 2 GiB and 30 s."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "given.json.gz").write_bytes(TRACES[name](COUNT))
    for verb, more in READERS.items():
        outcome = called([verb.partition(" ")[0], "given.json.gz", *more], LIMITS)
        fine(outcome)
        made = [*tmp_path.glob("*out.*")]
        assert outcome.kind == "ok" or not made, verb
        for path in made:
            path.unlink()


def timed(name: str, begin: int, lasting: int, *, thread: int = 1) -> dict[str, object]:
    """One event of a profile of onnxruntime."""
    category = {"k": "Kernel", "n_kernel_time": "Node"}.get(name, "Session")
    return {"cat": category, "pid": 1, "tid": thread, "ph": "X", "ts": begin, "dur": lasting, "name": name, "args": {}}


CALL, LAYER, INNER = "model_run", "n_kernel_time", "SequentialExecutor::Execute"
PROFILES: dict[str, tuple[str, Callable[[int], list[dict[str, object]]]]] = {
    "calls at once": (
        "ok",
        lambda count: [
            *(timed(CALL, number, count) for number in range(count)),
            *(timed(LAYER, number, 1, thread=2) for number in range(count)),
        ],
    ),
    "calls in calls": (
        "refused",
        lambda count: [
            timed(CALL, 0, 2 * count),
            *(timed(LAYER if number % 2 else INNER, 0, 2 * count - number) for number in range(count)),
        ],
    ),
    "threads": (
        "refused",
        lambda count: [
            timed(CALL, 0, 2 * max(count, 10_001)),
            *(timed(LAYER, number, 1, thread=number) for number in range(max(count, 10_001))),
        ],
    ),
    "kernels": (
        "ok",
        lambda count: [
            timed(CALL, 0, count),
            *(timed(LAYER, number, 1) for number in range(count)),
            *(timed("k", number, count) for number in range(count)),
        ],
    ),
}


@pytest.mark.parametrize("name", PROFILES)
def test_profiles_of_onnxruntime_made_to_do_harm(name: str, tmp_path: Path) -> None:
    """Calls at once, within each other and on threads without number: read or refused, within 2 GiB and 30 s."""
    kind, make = PROFILES[name]
    (tmp_path / "given.json").write_text(json.dumps(make(min(COUNT, 200_000))))
    for verb in ("analyse", "whatif"):
        outcome = called([verb, tmp_path / "given.json", *READERS[verb]], LIMITS)
        fine(outcome)
        assert outcome.kind == kind, outcome.said[-1000:]


def test_a_trace_of_too_many_lanes(tmp_path: Path) -> None:
    """One line that says how many there are, and how many are read."""
    given = tmp_path / "given.json.gz"
    given.write_bytes(events(100_000, lambda number: span(number, lane=number, begin=number)))
    outcome = called(["analyse", given], LIMITS)
    assert (outcome.kind, "100,000 threads and streams" in outcome.said) == ("refused", True)


def planted(folder: Path) -> Iterator[Path]:
    """Write code that leaves a mark when it is run, wherever Python or a suite may look for some."""
    mark = f"from pathlib import Path\nPath({str(folder / 'RAN')!r}).write_text(__file__)\n"
    names = ("sitecustomize", "usercustomize", "numpy", "onnx", "onnxruntime", "json", "msgspec", "sqlalchemy", "click")
    for name in (*names, "conftest", "harness", "dlbricks", "run", "setup", "__main__"):
        path = folder / f"{name}.py"
        path.write_text(mark)
        yield path
    for path in [*folder.glob("suite/**/*.py")]:
        path.write_text(mark)
        yield path


def test_nothing_that_came_with_a_file_is_run(tmp_path: Path) -> None:
    """``check``, ``submit``, ``estimate`` and ``inspect`` in a folder full of planted code leave no mark of it."""
    runnable_smoke(tmp_path / "suite")
    (tmp_path / "result.json").write_bytes(SMOKE.read_bytes())
    (tmp_path / "net.onnx").write_bytes((ROOT / "tests" / "data" / "tutorial.onnx").read_bytes())
    assert len(list(planted(tmp_path))) > 50
    store = f"sqlite:///{tmp_path / 'store.sqlite'}"
    for arguments in (
        ["check", "result.json", "--suite", "suite"],
        ["submit", "result.json", "--suite", "suite", "--store", store],
        ["suites", "--add", "suite", "--store", store],
        ["estimate", "net.onnx", "--system", "x", "--store", store],
        ["inspect", "net.onnx"],
        *([["inspect", "net.onnx", "--target", "openvino"]] if importlib.util.find_spec("openvino") else []),
    ):
        program = Path(sys.executable).with_name("dlbricks")
        done = subprocess.run([program, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode in {0, 1, 2}, done.stderr
    assert not (tmp_path / "RAN").exists()
