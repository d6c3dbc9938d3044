"""Slice alone: `python Slice_cb66381fdef4.py [--threads N] [--json]`.

Benchmark cb66381fdef41c2b7362e411e2246f7cf7b6397dae922e12823cddaebdd916cc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cb66381fdef41c2b7362e411e2246f7cf7b6397dae922e12823cddaebdd916cc', SUITE, sys.argv[1:]))
