"""MatMul alone: `python MatMul_95b67023f284.py [--threads N] [--json]`.

Benchmark 95b67023f2842ce49334cdbda9b34f06da39507f9c244a20b7f1aa9b859d69f7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('95b67023f2842ce49334cdbda9b34f06da39507f9c244a20b7f1aa9b859d69f7', SUITE, sys.argv[1:]))
