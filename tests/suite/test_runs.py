"""What is emitted runs: in a real process, where neither dlbricks nor onnx can be imported."""

import json
import subprocess
import textwrap
import venv
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from dlbricks.errors import InputError
from dlbricks.plugins.repro.pieces import extract_benchmark, find_benchmark, single_benchmark_suite
from dlbricks.settings import SplitSettings, SystemQuery
from dlbricks.store.database import ResultStore
from dlbricks.store.submission import submit
from dlbricks.suite.generate import generate
from dlbricks.suite.manifest import pack, read_network, read_suite, with_digest
from dlbricks.suite.writing import benchmark_path, write_suite
from tests.suite.suite_samples import NETWORKS


@pytest.fixture(scope="module")
def suite_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A suite of a small real network."""
    folder = tmp_path_factory.mktemp("made") / "suite"
    generate([str(NETWORKS / "misc_lstm_lm.onnx")], out=folder, settings=SplitSettings(target="portable"))
    return folder


def run(python: Path, *arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run something in the bare environment, warnings as errors."""
    command = [str(python), "-W", "error", *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=600, check=False)


def test_a_benchmark_runs_alone_without_dlbricks(bare_python: Path, suite_folder: Path, tmp_path: Path) -> None:
    """A script of ``benchmarks/`` measures its benchmark and finds the suite's answer, started from anywhere."""
    benchmark = read_suite(suite_folder).benchmarks[-1]
    done = run(bare_python, suite_folder / benchmark_path(benchmark), "--json", "--time", "50ms", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["fingerprint"] == benchmark.fingerprint
    assert found["answer"] == "as the reference"
    assert found["latency_ns"] > 0
    assert list(tmp_path.iterdir()) == []


def test_a_benchmark_alone_imports_little(bare_python: Path, suite_folder: Path, tmp_path: Path) -> None:
    """Twelve modules, none of which starts a process."""
    script = suite_folder / benchmark_path(read_suite(suite_folder).benchmarks[-1])
    code = """
        import atexit, runpy, sys
        atexit.register(lambda: print(*(name for name in sys.modules if name.startswith("harness")), file=sys.stderr))
        sys.argv = ["", "--time", "1ms"]
        runpy.run_path(sys.orig_argv[-1], run_name="__main__")
    """
    done = run(bare_python, "-c", textwrap.dedent(code), script, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    small = {
        "cache_state",
        "dtypes",
        "errors",
        "network",
        "options",
        "output_digest",
        "runtimes",
        "runtimes.onnxruntime",
        "session",
        "single",
        "stats",
        "values",
    }
    assert set(done.stderr.split()) == {"harness", *(f"harness.{name}" for name in small)}


def test_the_runner_measures_all(bare_python: Path, suite_folder: Path, tmp_path: Path) -> None:
    """``run.py`` measures every benchmark without dlbricks and writes one result that names the suite."""
    done = run(bare_python, suite_folder / "run.py", "-o", "result.json", "--smoke", "--quiet", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    result = json.loads((tmp_path / "result.json").read_text())
    suite = read_suite(suite_folder)
    assert result["suite"]["digest"] == suite.digest
    assert {entry["status"] for entry in result["benchmarks"]} == {"ok"}
    assert len(result["benchmarks"]) == len(suite.benchmarks)
    read_suite(suite_folder)


def test_the_runner_measures_several_numbers_of_threads(bare_python: Path, suite_folder: Path, tmp_path: Path) -> None:
    """Without dlbricks, one command writes a result for one thread and one for all."""
    arguments = ("--smoke", "--quiet", "--json", "--threads", "1,3", "-o", tmp_path / "r.json")
    done = run(bare_python, suite_folder / "run.py", *arguments, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert [each["threads"] for each in json.loads(done.stdout)["runs"]] == [1, 3]
    assert {path.name for path in tmp_path.glob("*.json")} == {"r.threads-1.json", "r.threads-3.json"}


def test_the_runner_traces_all(bare_python: Path, suite_folder: Path, tmp_path: Path) -> None:
    """Executed layers need nothing but onnxruntime; kernels need more, and it says so at once."""
    runner = suite_folder / "run.py"
    done = run(bare_python, runner, "-o", "r.json", "--smoke", "--quiet", "--trace", "ML", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    result = json.loads((tmp_path / "r.json").read_text())
    traced = [entry for entry in result["benchmarks"] if "layers" in entry.get("trace", {})]
    assert {entry["role"] for entry in traced} == {"sequence", "overhead"}
    assert len(traced) == sum(entry["role"] in {"sequence", "overhead"} for entry in result["benchmarks"])
    read_suite(suite_folder)
    refused = run(bare_python, runner, "-o", "k.json", "--smoke", "--trace", "MLK", cwd=tmp_path)
    assert refused.returncode == 3
    assert refused.stderr.startswith("error: --trace MLK: kernels cannot be traced: ")
    assert refused.stderr.count("\n") == 1


def test_a_wrong_answer_is_seen(bare_python: Path, suite_folder: Path, tmp_path: Path) -> None:
    """A benchmark that computes something else than the suite's reference fails, and says so."""
    suite = read_suite(suite_folder)
    networks = {one.fingerprint: read_network(suite_folder, one.fingerprint) for one in suite.benchmarks}
    first = suite.benchmarks[0]
    assert first.reference
    sketch = first.reference[0]
    assert isinstance(sketch, dict)
    wrong = replace(first, reference=({**sketch, "norm1": 1e9},))
    write_suite(tmp_path / "suite", with_digest(replace(suite, benchmarks=(wrong, *suite.benchmarks[1:]))), networks)
    done = run(bare_python, tmp_path / "suite" / benchmark_path(first), "--time", "10ms", cwd=tmp_path)
    assert done.returncode == 4
    assert "wrong answer" in done.stdout


def test_one_benchmark_as_one_file(bare_python: Path, suite_folder: Path, tmp_path: Path) -> None:
    """The extracted file alone, mailed anywhere, measures its benchmark; unzipped it is a sound suite."""
    benchmark = read_suite(suite_folder).benchmarks[-1]
    made = extract_benchmark(suite_folder, benchmark.fingerprint[:10], tmp_path / "mailed" / "one.pyz")
    done = run(bare_python, made, "--json", "--time", "50ms", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["answer"] == "as the reference"
    assert [path.name for path in made.parent.iterdir()] == ["one.pyz"]
    with zipfile.ZipFile(made) as archived:
        archived.extractall(tmp_path / "unzipped")
    read_suite(tmp_path / "unzipped")
    kept = [one for one in read_suite(tmp_path / "unzipped").benchmarks if one.role == "sequence"]
    assert kept == [benchmark]


def test_the_result_of_one_file_can_be_submitted(bare_python: Path, suite_folder: Path, tmp_path: Path) -> None:
    """With ``-o`` the extracted file writes what a run of a suite of one benchmark would; a store takes it."""
    benchmark = read_suite(suite_folder).benchmarks[-1]
    made = extract_benchmark(suite_folder, benchmark.fingerprint, tmp_path / "one.pyz")
    done = run(bare_python, made, "-o", "result.json", "--name", "there", "--smoke", "--quiet", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    with ResultStore.open(str(tmp_path / "store.sqlite"), create=True) as store:
        receipt = submit(store, (tmp_path / "result.json").read_bytes(), suite=read_suite(made))
        assert (receipt.new, receipt.results) == (True, 1)
        assert set(store.results(SystemQuery(system="there")).measurements) == {benchmark.fingerprint}


def test_an_extracted_file_is_a_function_of_the_benchmark(suite_folder: Path, tmp_path: Path) -> None:
    """The same bytes from a folder and from an archive; it needs no more weights than its networks point to."""
    pack(suite_folder, tmp_path / "s.tar.gz")
    suite = read_suite(suite_folder)
    for benchmark in suite.benchmarks:
        kept = [one.fingerprint for one in suite.benchmarks if one.role != "sequence" or one == benchmark]
        networks = {one: read_network(suite_folder, one) for one in kept}
        alone = single_benchmark_suite(suite, benchmark, networks)
        together = b"".join(networks.values())
        assert sum(blob.nbytes for blob in alone.weights) + len(together) >= benchmark.weight_bytes
        assert all(blob.file.encode() in together for blob in alone.weights)
        packed = extract_benchmark(
            tmp_path / "s.tar.gz", benchmark.fingerprint, tmp_path / "one", replace=True
        ).read_bytes()
        assert (
            extract_benchmark(suite_folder, benchmark.fingerprint, tmp_path / "other", replace=True).read_bytes()
            == packed
        )


def test_a_benchmark_is_found_by_the_beginning_of_its_fingerprint(suite_folder: Path, tmp_path: Path) -> None:
    """A beginning that fits one is enough; one that fits none or several is refused in one line."""
    suite = read_suite(suite_folder)
    for benchmark in suite.benchmarks:
        assert find_benchmark(suite, benchmark.fingerprint) == benchmark
        assert find_benchmark(suite, benchmark.fingerprint[:16].upper()) == benchmark
    with pytest.raises(InputError, match="no fingerprint"):
        extract_benchmark(suite_folder, "xyz", tmp_path / "one.pyz")
    with pytest.raises(InputError, match="no fingerprint"):
        find_benchmark(suite, "")
    first = {benchmark.fingerprint[0]: benchmark for benchmark in suite.benchmarks}
    crowded = next(
        (digit for digit in first if sum(one.fingerprint.startswith(digit) for one in suite.benchmarks) > 1), None
    )
    if crowded:
        with pytest.raises(InputError, match="add characters"):
            find_benchmark(suite, crowded)


def test_without_its_packages_a_script_says_what_to_install(suite_folder: Path, tmp_path: Path) -> None:
    """Where numpy and onnxruntime are missing, the answer is one line and exit code 3."""
    venv.create(tmp_path / "empty", with_pip=False, symlinks=True)
    benchmark = read_suite(suite_folder).benchmarks[0]
    python = tmp_path / "empty" / "bin" / "python"
    for script in (suite_folder / benchmark_path(benchmark), suite_folder / "run.py"):
        done = run(python, script, cwd=tmp_path)
        assert done.returncode == 3
        assert "pip install" in done.stderr
        assert len(done.stderr.splitlines()) == 1
