"""Conv alone: `python Conv_52d1660c533c.py [--threads N] [--json]`.

Benchmark 52d1660c533ce53ca1642c105b588dade18a9dee42df8970a2cc2a314b22412f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('52d1660c533ce53ca1642c105b588dade18a9dee42df8970a2cc2a314b22412f', SUITE, sys.argv[1:]))
