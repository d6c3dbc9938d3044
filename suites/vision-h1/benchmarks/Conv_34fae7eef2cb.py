"""Conv alone: `python Conv_34fae7eef2cb.py [--threads N] [--json]`.

Benchmark 34fae7eef2cb236b498b6497608e24e883f5db7755e99b95e3a8750266ea19f5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('34fae7eef2cb236b498b6497608e24e883f5db7755e99b95e3a8750266ea19f5', SUITE, sys.argv[1:]))
