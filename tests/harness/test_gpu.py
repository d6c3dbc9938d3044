"""What nvidia-smi and NVML say of a GPU: whole, in part, or not at all."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dlbricks.harness import machine as gpu
from dlbricks.harness.machine import GpuMonitor, gpu_facts, l2_bytes, sliced
from dlbricks.trace.gpus import gpu_peaks

ROW = "NVIDIA H200, 580.1, 96.00, 9.0, 143771, 143000, P0, 1980, 1980, 3201, 700.00, 76.5, 31, 0, Enabled, Enabled, "
TOOL = """#!{python}
import sys
UNKNOWN = {unknown!r}
VALUES = {values!r}
asked = sys.argv[1].removeprefix("--query-gpu=").split(",")
for field in asked:
    if field in UNKNOWN:
        print(f'Field "{{field}}" is not a valid field to query.')
        sys.exit(2)
for card in range({cards}):
    print(", ".join(VALUES.get(field, "7") for field in asked))
"""


def tool(folder: Path, monkeypatch: pytest.MonkeyPatch, unknown: set[str], cards: int = 1) -> None:
    """Put an nvidia-smi into the path that refuses a query with fields that it does not know."""
    values = {"name": "NVIDIA H200", "power.draw": "76.5", "mig.mode.current": "[N/A]"}
    path = folder / "nvidia-smi"
    path.write_text(TOOL.format(python=sys.executable, unknown=unknown, values=values, cards=cards), encoding="utf-8")
    path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


def test_what_nvidia_smi_says_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers are numbers, what is not supported is None; a row of another length is left out."""
    monkeypatch.setattr(gpu, "command", lambda *_: f"{ROW}[N/A], 0x0000000000000001\nodd, row")
    (found,) = gpu_facts()
    assert (found["name"], found["memory_total_mib"], found["power_draw_w"]) == ("NVIDIA H200", 143771, 76.5)
    assert (found["mig"], found["throttle_reasons"]) == (None, "0x0000000000000001")


@pytest.mark.parametrize(
    ("unknown", "missing"),
    [
        ({"ecc.mode.current"}, {"ecc"}),
        ({"ecc.mode.current", "name", "vbios_version"}, {"ecc", "name", "vbios"}),
        ({"clocks_throttle_reasons.active"}, set[str]()),
        ({"clocks_throttle_reasons.active", "clocks_event_reasons.active"}, {"throttle_reasons"}),
    ],
)
def test_a_field_that_is_not_known_empties_no_other(
    unknown: set[str], missing: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tool answers nothing when it does not know one field: that one is None, for every GPU."""
    tool(tmp_path, monkeypatch, unknown, cards=2)
    found = gpu_facts()
    assert len(found) == 2
    for one in found:
        assert {key for key, value in one.items() if value is None} == missing | {"mig"}
        assert one["power_draw_w"] == 76.5


def test_without_the_tool_there_is_no_gpu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tool that is missing, or knows nothing, gives no GPU."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert gpu_facts() == []
    tool(tmp_path, monkeypatch, set(), cards=0)
    assert gpu_facts() == []
    asked = list[str]()
    monkeypatch.setattr(gpu, "command", lambda *arguments: asked.append(arguments[1]))
    assert gpu_facts() == []
    assert len(asked) == 2  # each takes ten seconds of a tool that hangs


LIBRARIES = {
    "libnvidia-ml.so.1": """
int nvmlInit_v2(void) { return 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned which, void **handle) {
  *handle = (void *)(long)(which + 1); return which > 3; }
int nvmlDeviceGetHandleByUUID(const char *name, void **handle) {
  *handle = (void *)9L; return name[0] != 'G'; }
int nvmlDeviceGetClockInfo(void *handle, int which, unsigned *mhz) {
  *mhz = 1000 + 100 * (long)handle + which; return 0; }
int nvmlDeviceGetMemoryInfo(void *handle, unsigned long long *m) {
  m[0] = 100; m[1] = 40 + (long)handle; m[2] = 60; return 0; }
int nvmlDeviceGetTotalEnergyConsumption(void *handle, unsigned long long *mj) { *mj = 5 + (long)handle; return 0; }
""",
    "libcuda.so.1": """
int cuInit(unsigned flags) { return flags; }
int cuDeviceGet(int *device, int which) { *device = which; return which > 1; }
int cuDeviceGetAttribute(int *value, int attribute, int device) {
  *value = attribute == 38 ? 62914560 : -1; return device; }
""",
}


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with the two libraries of a driver, as far as they are asked."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler to build a driver")
    folder = tmp_path_factory.mktemp("driver")
    for name, text in LIBRARIES.items():
        (folder / f"{name}.c").write_text(text, encoding="utf-8")
        subprocess.run([compiler, "-shared", "-fPIC", "-o", folder / name, folder / f"{name}.c"], check=True)
    return folder


@pytest.mark.parametrize(
    ("visible", "device", "said"),
    [
        ("", 0, "1101 41 62914560"),
        ("", 1, "1201 42 None"),
        ("3,0", 0, "1401 44 62914560"),
        ("GPU-12ab", 0, "1901 49 62914560"),
        ("9", 0, "None None 62914560"),
    ],
)
def test_clock_memory_and_cache_are_those_of_the_device(driver: Path, visible: str, device: int, said: str) -> None:
    """They are read from the driver's libraries, of the device that CUDA counts so; None where there is none."""
    code = "import sys; from dlbricks.harness.machine import GpuMonitor, l2_bytes; d = int(sys.argv[1]); "
    code += "m = GpuMonitor(d); print(m.clock_mhz(), m.free_bytes(), l2_bytes(d))"
    environment = {**os.environ, "LD_LIBRARY_PATH": str(driver), "CUDA_VISIBLE_DEVICES": visible}
    done = subprocess.run(
        [sys.executable, "-c", code, str(device)], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == said.split()


def test_energy_is_that_of_the_device(driver: Path) -> None:
    """Millijoules since its driver was loaded; a device that NVML does not know has no counter, and says so."""
    code = "from dlbricks.harness.machine import EnergyCounter; c = EnergyCounter(0); print(c.source, c.now()[1:])"
    said = []
    for visible in ("1", "9"):
        environment = {**os.environ, "LD_LIBRARY_PATH": str(driver), "CUDA_VISIBLE_DEVICES": visible}
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        said.append(done.stdout.strip())
    assert said == ["NVML, the whole GPU [7000]", "absent: NVML reports no energy of this GPU []"]


def test_without_a_driver_nothing_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """No library, no numbers, no error."""
    monkeypatch.setattr(gpu, "load_library", lambda *_: None)
    monitor = GpuMonitor(0)
    assert (monitor.clock_mhz(), monitor.free_bytes(), monitor.energy_uj(), l2_bytes(0)) == (None, None, None, None)


LISTED = """GPU 0: NVIDIA H200 (UUID: GPU-12ab)
  MIG 1g.18gb     Device  0: (UUID: MIG-77aa)
  MIG 3g.71gb     Device  1: (UUID: MIG-88bb)
GPU 1: NVIDIA H200 (UUID: GPU-34cd)
"""


@pytest.mark.parametrize(
    ("visible", "mode", "names", "options"),
    [
        ("", "Enabled", ["NVIDIA H200 MIG 1g.18gb", "NVIDIA H200"], ("1g.18gb", "unknown")),
        ("MIG-88bb", "Enabled", ["NVIDIA H200 MIG 3g.71gb", "NVIDIA H200"], ("3g.71gb", "unknown")),
        ("", "Disabled", ["NVIDIA H200", "NVIDIA H200"], ()),
    ],
)
def test_a_slice_of_a_gpu_is_named(
    visible: str, mode: str, names: list[str], options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The slice that CUDA uses, which is the chosen or else the first one; without identifiers."""
    rows = "\n".join([f"{ROW}{mode}, 0x1"] * 2)
    monkeypatch.setattr(gpu, "command", lambda *arguments: LISTED if arguments[1] == "-L" else rows)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    found = gpu_facts()
    assert [one["name"] for one in found] == names
    assert sliced(found) == options
    assert "MIG-" not in str(found)
    assert gpu_peaks(names[0]).bytes_per_s == (None if options else 4.8e12)
