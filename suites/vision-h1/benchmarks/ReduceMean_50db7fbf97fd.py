"""ReduceMean alone: `python ReduceMean_50db7fbf97fd.py [--threads N] [--json]`.

Benchmark 50db7fbf97fd97c552c08551bafb0e66af213c04b81d4dc1a90021a9400c2628,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('50db7fbf97fd97c552c08551bafb0e66af213c04b81d4dc1a90021a9400c2628', SUITE, sys.argv[1:]))
