"""BatchNormalization alone: `python BatchNormalization_5b51012fe5ec.py [--threads N] [--json]`.

Benchmark 5b51012fe5ec82e13329b943dacf72fda5f4d047a62af550f2cd13e772d0dc14,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5b51012fe5ec82e13329b943dacf72fda5f4d047a62af550f2cd13e772d0dc14', SUITE, sys.argv[1:]))
