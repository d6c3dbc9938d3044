"""ReduceMean alone: `python ReduceMean_11b06b63bd53.py [--threads N] [--json]`.

Benchmark 11b06b63bd534cb94076ab42932ae2c258634b6ec21b7c4003ce0b4179a52448,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('11b06b63bd534cb94076ab42932ae2c258634b6ec21b7c4003ce0b4179a52448', SUITE, sys.argv[1:]))
