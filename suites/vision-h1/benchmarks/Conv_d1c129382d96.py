"""Conv alone: `python Conv_d1c129382d96.py [--threads N] [--json]`.

Benchmark d1c129382d9693ed2188db8d1e0a3d7f7c220d2c804601d6825d00eeda516cd3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d1c129382d9693ed2188db8d1e0a3d7f7c220d2c804601d6825d00eeda516cd3', SUITE, sys.argv[1:]))
