"""Resize alone: `python Resize_1ebf8bc7cd97.py [--threads N] [--json]`.

Benchmark 1ebf8bc7cd9717c82298907f8731aa2bca088860275480842a6bdcd67c6b77fb,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1ebf8bc7cd9717c82298907f8731aa2bca088860275480842a6bdcd67c6b77fb', SUITE, sys.argv[1:]))
