"""Add alone: `python Add_ccde65cc069c.py [--threads N] [--json]`.

Benchmark ccde65cc069c809bbe194a729f0c16e8ee3a9587e5305ae06fac2b634fd6f1ea,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ccde65cc069c809bbe194a729f0c16e8ee3a9587e5305ae06fac2b634fd6f1ea', SUITE, sys.argv[1:]))
