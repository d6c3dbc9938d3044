"""Conv alone: `python Conv_895ce01679b9.py [--threads N] [--json]`.

Benchmark 895ce01679b94f7bdee083fc33cfe8fcaa17aa41ee724c6dfebb3d3214dee419,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('895ce01679b94f7bdee083fc33cfe8fcaa17aa41ee724c6dfebb3d3214dee419', SUITE, sys.argv[1:]))
