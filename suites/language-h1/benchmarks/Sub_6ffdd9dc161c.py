"""Sub alone: `python Sub_6ffdd9dc161c.py [--threads N] [--json]`.

Benchmark 6ffdd9dc161ce6a5e0559b4e1c8142bcd3cb97d8a1ee215438275819bb56b428,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6ffdd9dc161ce6a5e0559b4e1c8142bcd3cb97d8a1ee215438275819bb56b428', SUITE, sys.argv[1:]))
