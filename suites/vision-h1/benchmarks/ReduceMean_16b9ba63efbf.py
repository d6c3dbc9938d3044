"""ReduceMean alone: `python ReduceMean_16b9ba63efbf.py [--threads N] [--json]`.

Benchmark 16b9ba63efbfe503b9769bba248b65cfae7cb2599f3ea1b3a6541d39ed7d051e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('16b9ba63efbfe503b9769bba248b65cfae7cb2599f3ea1b3a6541d39ed7d051e', SUITE, sys.argv[1:]))
