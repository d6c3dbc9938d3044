"""Conv_Relu alone: `python Conv_Relu_555b0cb6bc44.py [--threads N] [--json]`.

Benchmark 555b0cb6bc4484187f6c02508fb09ee5189dc343d5a04105679d94705a4dc5fa,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('555b0cb6bc4484187f6c02508fb09ee5189dc343d5a04105679d94705a4dc5fa', SUITE, sys.argv[1:]))
