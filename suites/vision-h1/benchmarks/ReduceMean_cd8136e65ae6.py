"""ReduceMean alone: `python ReduceMean_cd8136e65ae6.py [--threads N] [--json]`.

Benchmark cd8136e65ae6ff17fead6a75e6958969d0aa6db3c4a568d04b2e864cef8360e1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cd8136e65ae6ff17fead6a75e6958969d0aa6db3c4a568d04b2e864cef8360e1', SUITE, sys.argv[1:]))
