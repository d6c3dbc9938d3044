"""Conv_HardSigmoid alone: `python Conv_HardSigmoid_3dd9105b4fd1.py [--threads N] [--json]`.

Benchmark 3dd9105b4fd10b71e90879c38c8ecb4b89e8d681c74bb54a6e87775349e345f8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3dd9105b4fd10b71e90879c38c8ecb4b89e8d681c74bb54a6e87775349e345f8', SUITE, sys.argv[1:]))
