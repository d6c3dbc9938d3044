"""Conv_Relu alone: `python Conv_Relu_8064ceb17166.py [--threads N] [--json]`.

Benchmark 8064ceb171667093f74f4137f5ac221f84846ebdcc5e2b5057d075719812136f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8064ceb171667093f74f4137f5ac221f84846ebdcc5e2b5057d075719812136f', SUITE, sys.argv[1:]))
