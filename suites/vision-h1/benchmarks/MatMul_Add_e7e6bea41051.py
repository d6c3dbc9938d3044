"""MatMul_Add alone: `python MatMul_Add_e7e6bea41051.py [--threads N] [--json]`.

Benchmark e7e6bea410510bd8419c2f50794df43f8353a0833a6c50a43ca9894aac0bbc1a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e7e6bea410510bd8419c2f50794df43f8353a0833a6c50a43ca9894aac0bbc1a', SUITE, sys.argv[1:]))
