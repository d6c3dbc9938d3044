"""Conv alone: `python Conv_6c1bd502812f.py [--threads N] [--json]`.

Benchmark 6c1bd502812fe98c63bf01bd3a646076cdfd1b45aa2182765856d6f70d81b825,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6c1bd502812fe98c63bf01bd3a646076cdfd1b45aa2182765856d6f70d81b825', SUITE, sys.argv[1:]))
