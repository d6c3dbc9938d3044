"""Conv_Relu alone: `python Conv_Relu_34549d4b8352.py [--threads N] [--json]`.

Benchmark 34549d4b8352bfb7ecdfaacb290d1c2e9a7374e87e9fdada2544889344583efa,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('34549d4b8352bfb7ecdfaacb290d1c2e9a7374e87e9fdada2544889344583efa', SUITE, sys.argv[1:]))
