"""Split alone: `python Split_e93a8da7b483.py [--threads N] [--json]`.

Benchmark e93a8da7b4839e14af48e64b0b07735ade2bf379726466b792314ac0617c08dc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e93a8da7b4839e14af48e64b0b07735ade2bf379726466b792314ac0617c08dc', SUITE, sys.argv[1:]))
