"""Conv_Relu in one file: `python FILE [--threads N] [--json]`. The file is a zip archive of a suite folder.

Benchmark 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef,
made by dlbricks 1.2.3. Needs Python, numpy and onnxruntime.
"""

import sys
import tempfile
import zipfile
from pathlib import Path

from harness.single import main

if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as folder:
        with zipfile.ZipFile(Path(__file__).resolve().parent) as archive:
            archive.extractall(folder)
        sys.exit(main(Path(folder), '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef'))
