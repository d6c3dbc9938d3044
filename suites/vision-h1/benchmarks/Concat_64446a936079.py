"""Concat alone: `python Concat_64446a936079.py [--threads N] [--json]`.

Benchmark 64446a9360798bd2324f087988da2e269df3224a6ed4dbcc50aa13d1d3a2fb30,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('64446a9360798bd2324f087988da2e269df3224a6ed4dbcc50aa13d1d3a2fb30', SUITE, sys.argv[1:]))
