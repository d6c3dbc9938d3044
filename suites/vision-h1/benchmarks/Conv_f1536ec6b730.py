"""Conv alone: `python Conv_f1536ec6b730.py [--threads N] [--json]`.

Benchmark f1536ec6b730d5ee83174972ef2e512f1edd18cee1609445b82c56d58e4e51ce,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f1536ec6b730d5ee83174972ef2e512f1edd18cee1609445b82c56d58e4e51ce', SUITE, sys.argv[1:]))
