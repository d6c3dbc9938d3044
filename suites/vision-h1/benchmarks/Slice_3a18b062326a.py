"""Slice alone: `python Slice_3a18b062326a.py [--threads N] [--json]`.

Benchmark 3a18b062326ab579d00746593130e1c99398135d0cf5aece620b98d41af67a06,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3a18b062326ab579d00746593130e1c99398135d0cf5aece620b98d41af67a06', SUITE, sys.argv[1:]))
