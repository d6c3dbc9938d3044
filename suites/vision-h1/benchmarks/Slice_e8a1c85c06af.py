"""Slice alone: `python Slice_e8a1c85c06af.py [--threads N] [--json]`.

Benchmark e8a1c85c06afd67f2aca0c5b0f5250c0cb45c7f2c363e8f5bd83820d4def9742,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e8a1c85c06afd67f2aca0c5b0f5250c0cb45c7f2c363e8f5bd83820d4def9742', SUITE, sys.argv[1:]))
