"""Add alone: `python Add_16bd4d75b4b9.py [--threads N] [--json]`.

Benchmark 16bd4d75b4b96be84ffbad03857718ae091d57cdf2960272eb6c34062ffaf440,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('16bd4d75b4b96be84ffbad03857718ae091d57cdf2960272eb6c34062ffaf440', SUITE, sys.argv[1:]))
