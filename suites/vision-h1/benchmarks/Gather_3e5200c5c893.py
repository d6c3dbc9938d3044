"""Gather alone: `python Gather_3e5200c5c893.py [--threads N] [--json]`.

Benchmark 3e5200c5c8933b85d4d2e4796bb17c069a11570be2ac7ea459cfd1f97572aef3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3e5200c5c8933b85d4d2e4796bb17c069a11570be2ac7ea459cfd1f97572aef3', SUITE, sys.argv[1:]))
