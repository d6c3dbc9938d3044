"""Conv_Relu in one file: `python FILE`, see `--help`. The file is a zip archive of a suite folder.

`python FILE -o result.json --name NAME` measures it as in a suite, see `-o result.json --help`, and writes a result.

Benchmark 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef,
made by dlbricks 1.2.3. Needs Python 3.10 or newer, numpy and onnxruntime 1.23 or newer.
"""

import runpy
import sys
import tempfile
import zipfile
from pathlib import Path

SCRIPT = "benchmarks/Conv_Relu_0123456789ab.py"

if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as folder:
        with zipfile.ZipFile(Path(__file__).resolve().parent) as archive:
            archive.extractall(folder)
        script = "run.py" if any(one.startswith(("-o", "--out")) for one in sys.argv[1:]) else SCRIPT
        runpy.run_path(str(Path(folder) / script), run_name="__main__")
