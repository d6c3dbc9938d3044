"""Conv_Sigmoid alone: `python Conv_Sigmoid_83d98d12657f.py [--threads N] [--json]`.

Benchmark 83d98d12657f079b1c8b45829c161bc06e598b40933fa055b20a74f0be95c92f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('83d98d12657f079b1c8b45829c161bc06e598b40933fa055b20a74f0be95c92f', SUITE, sys.argv[1:]))
