"""Concat alone: `python Concat_b94dc25e9c0b.py [--threads N] [--json]`.

Benchmark b94dc25e9c0ba90516293799f5c1f4f29740e145a7faec375a74d17d41c4bcf0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b94dc25e9c0ba90516293799f5c1f4f29740e145a7faec375a74d17d41c4bcf0', SUITE, sys.argv[1:]))
