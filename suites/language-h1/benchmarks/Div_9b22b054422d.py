"""Div alone: `python Div_9b22b054422d.py [--threads N] [--json]`.

Benchmark 9b22b054422d8f0060b31f6de385b93fcccd980144ba2678ac52521d8e276126,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9b22b054422d8f0060b31f6de385b93fcccd980144ba2678ac52521d8e276126', SUITE, sys.argv[1:]))
