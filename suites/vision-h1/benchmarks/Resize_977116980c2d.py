"""Resize alone: `python Resize_977116980c2d.py [--threads N] [--json]`.

Benchmark 977116980c2dc61eb23953751f9a9c5bc7e561bdfe2818909b57b71969db2fbf,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('977116980c2dc61eb23953751f9a9c5bc7e561bdfe2818909b57b71969db2fbf', SUITE, sys.argv[1:]))
