"""Conv_Gelu alone: `python Conv_Gelu_2eee7958601d.py [--threads N] [--json]`.

Benchmark 2eee7958601dc6fa2e792e26fc2751bc13157a214936997b6b636e885943a8ed,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2eee7958601dc6fa2e792e26fc2751bc13157a214936997b6b636e885943a8ed', SUITE, sys.argv[1:]))
