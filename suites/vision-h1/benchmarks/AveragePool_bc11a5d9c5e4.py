"""AveragePool alone: `python AveragePool_bc11a5d9c5e4.py [--threads N] [--json]`.

Benchmark bc11a5d9c5e48bbcd5ceabbbd6a0b185836c41a903478a2df5c21e1aebebb58d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bc11a5d9c5e48bbcd5ceabbbd6a0b185836c41a903478a2df5c21e1aebebb58d', SUITE, sys.argv[1:]))
