"""Conv_Relu alone: `python Conv_Relu_95dd848aef0a.py [--threads N] [--json]`.

Benchmark 95dd848aef0a1952ea8883a52ec14b3a45ee234fc013c8e9e605f9971f1ceeda,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('95dd848aef0a1952ea8883a52ec14b3a45ee234fc013c8e9e605f9971f1ceeda', SUITE, sys.argv[1:]))
