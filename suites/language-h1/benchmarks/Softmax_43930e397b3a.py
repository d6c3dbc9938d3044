"""Softmax alone: `python Softmax_43930e397b3a.py [--threads N] [--json]`.

Benchmark 43930e397b3a331074adc183503028a13d40830b1c0df2ab33dbd7c69674a587,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('43930e397b3a331074adc183503028a13d40830b1c0df2ab33dbd7c69674a587', SUITE, sys.argv[1:]))
