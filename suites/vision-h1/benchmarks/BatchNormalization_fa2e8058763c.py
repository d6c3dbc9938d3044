"""BatchNormalization alone: `python BatchNormalization_fa2e8058763c.py [--threads N] [--json]`.

Benchmark fa2e8058763c551f580503f84c2d138e2e8846375740013b5291b1858dc56d87,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fa2e8058763c551f580503f84c2d138e2e8846375740013b5291b1858dc56d87', SUITE, sys.argv[1:]))
