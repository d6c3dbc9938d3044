"""LayerNormalization alone: `python LayerNormalization_a0b69ea358c1.py [--threads N] [--json]`.

Benchmark a0b69ea358c14a77dd91b77fd229090a942c01ac9374b24eb0f9e5531545ea74,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a0b69ea358c14a77dd91b77fd229090a942c01ac9374b24eb0f9e5531545ea74', SUITE, sys.argv[1:]))
