"""Conv_Relu alone: `python Conv_Relu_4cc8f8253286.py [--threads N] [--json]`.

Benchmark 4cc8f8253286cb0c9d9c9c7094f597d87f629289b108f12a16f8b6705ff88149,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4cc8f8253286cb0c9d9c9c7094f597d87f629289b108f12a16f8b6705ff88149', SUITE, sys.argv[1:]))
