"""Concat alone: `python Concat_9e7cac13aafd.py [--threads N] [--json]`.

Benchmark 9e7cac13aafd80d112c730ebe2f0725709722ad72cb191b48406ff69afee0785,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9e7cac13aafd80d112c730ebe2f0725709722ad72cb191b48406ff69afee0785', SUITE, sys.argv[1:]))
