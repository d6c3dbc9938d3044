"""Conv alone: `python Conv_1e693438e96f.py [--threads N] [--json]`.

Benchmark 1e693438e96fd6b3539ae346ce2f9a8254bad51e6f814bbf1fa569a41efd118a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1e693438e96fd6b3539ae346ce2f9a8254bad51e6f814bbf1fa569a41efd118a', SUITE, sys.argv[1:]))
