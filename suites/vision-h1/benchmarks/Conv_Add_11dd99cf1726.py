"""Conv_Add alone: `python Conv_Add_11dd99cf1726.py [--threads N] [--json]`.

Benchmark 11dd99cf17263c9d2bdac75939b0462eec84587382ddc1c933f738e4adbc5921,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('11dd99cf17263c9d2bdac75939b0462eec84587382ddc1c933f738e4adbc5921', SUITE, sys.argv[1:]))
