import gzip
from pathlib import Path

from tests.cli.invoking import Run
from tests.suite.planting import classical_networks, secrets_of, written_network


def test_no_file_of_the_whole_way_holds_a_secret(dlbricks: Run, tmp_path: Path) -> None:
    """What is trained is in no byte of a suite, packed or not, a result, a plan, a single benchmark or a report."""
    secrets = secrets_of(7)
    networks = tmp_path / "networks"
    networks.mkdir()
    (networks / "first.onnx").write_bytes(written_network(secrets).SerializeToString())
    trees = dict(classical_networks(secrets))["trees"]
    (networks / "trees.onnx").write_bytes(trees.SerializeToString())
    first, both = str(networks / "first.onnx"), str(networks)
    dlbricks("generate", first, "-o", "suite")
    dlbricks("generate", both, "-o", "packed.tar.gz", "--pack")
    dlbricks("run", "suite", "-o", "result.json", "--name", "here", "--smoke", "--trace", "ML")
    dlbricks("submit", "result.json", "--suite", "suite")
    planned = dlbricks("plan", both, "--system", "here", "-o", "plan", "--json").stdout
    estimated = dlbricks("estimate", both, "--system", "here", "--allow-missing", "--json").stdout
    dlbricks("report", "result.json", "-o", "report.html")
    fingerprint = next((tmp_path / "plan" / "networks").glob("*.onnx")).stem
    dlbricks("extract", "plan", fingerprint, "-o", "single.pyz")
    shared = [path for path in tmp_path.rglob("*") if path.is_file() and networks not in path.parents]
    data = [gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes() for path in shared]
    names = {path.relative_to(tmp_path).parts[0] for path in shared}
    assert names >= {"suite", "packed.tar.gz", "result.json", "plan", "report.html", "single.pyz"}
    weights = [one for path, one in zip(shared, data, strict=True) if not path.name.startswith("weights.")]
    everything = b"\n".join((*weights, planned.encode(), estimated.encode()))
    assert secrets.integers
    assert [one for one in secrets.found_in(everything) if not isinstance(one, float)] == []
    assert [
        one for one in secrets.floats if repr(one)[:9].encode() in everything or one.hex().encode() in everything
    ] == []
