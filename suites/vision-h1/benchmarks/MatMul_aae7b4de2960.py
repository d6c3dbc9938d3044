"""MatMul alone: `python MatMul_aae7b4de2960.py [--threads N] [--json]`.

Benchmark aae7b4de2960df6b42e6071141c530c18008f25eb16932af0980cd90a034828c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('aae7b4de2960df6b42e6071141c530c18008f25eb16932af0980cd90a034828c', SUITE, sys.argv[1:]))
