"""Add alone: `python Add_87a01decebbd.py [--threads N] [--json]`.

Benchmark 87a01decebbd5fa35d62472ef670cc72126b0c622fdbc00a03fea17318cad24e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('87a01decebbd5fa35d62472ef670cc72126b0c622fdbc00a03fea17318cad24e', SUITE, sys.argv[1:]))
