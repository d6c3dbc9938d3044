"""Slice alone: `python Slice_22679f26f3f2.py [--threads N] [--json]`.

Benchmark 22679f26f3f2154538c480459059ebaf03cad8bd22af54dda47d71fb7fcd024b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('22679f26f3f2154538c480459059ebaf03cad8bd22af54dda47d71fb7fcd024b', SUITE, sys.argv[1:]))
