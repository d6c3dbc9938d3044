"""Conv_Gelu alone: `python Conv_Gelu_d41c34edabfe.py [--threads N] [--json]`.

Benchmark d41c34edabfede7ae6df5ea1640682c09c699ea693a543c2b789ac11f69d813c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d41c34edabfede7ae6df5ea1640682c09c699ea693a543c2b789ac11f69d813c', SUITE, sys.argv[1:]))
