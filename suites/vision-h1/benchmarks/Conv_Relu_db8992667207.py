"""Conv_Relu alone: `python Conv_Relu_db8992667207.py [--threads N] [--json]`.

Benchmark db89926672073e651dfa0d9e2e2d543b16b2582b351cb124258871bc7611038c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('db89926672073e651dfa0d9e2e2d543b16b2582b351cb124258871bc7611038c', SUITE, sys.argv[1:]))
