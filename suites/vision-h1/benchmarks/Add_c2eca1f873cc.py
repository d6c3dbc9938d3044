"""Add alone: `python Add_c2eca1f873cc.py [--threads N] [--json]`.

Benchmark c2eca1f873ccab0b9db8e0581015216b180f40ef74951088bcec879b03e2e184,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c2eca1f873ccab0b9db8e0581015216b180f40ef74951088bcec879b03e2e184', SUITE, sys.argv[1:]))
