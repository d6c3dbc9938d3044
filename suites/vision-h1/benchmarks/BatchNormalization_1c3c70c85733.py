"""BatchNormalization alone: `python BatchNormalization_1c3c70c85733.py [--threads N] [--json]`.

Benchmark 1c3c70c85733f7592a7696d6745476461a7ba945560a0acbe8b572bf49c7406c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1c3c70c85733f7592a7696d6745476461a7ba945560a0acbe8b572bf49c7406c', SUITE, sys.argv[1:]))
