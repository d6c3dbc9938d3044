"""Conv_Relu in one file: `python FILE [--threads N] [--json]`. The file is a zip archive of a suite folder.

Benchmark 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef,
made by dlbricks 1.2.3. Needs Python, numpy and onnxruntime.
"""

import sys
import tempfile
import zipfile
from pathlib import Path

if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as folder:
        with zipfile.ZipFile(Path(__file__).resolve().parent) as archive:
            archive.extractall(folder)
        sys.path.insert(0, folder)
        from harness.single import run_one

        sys.exit(run_one('0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef', Path(folder), sys.argv[1:]))
