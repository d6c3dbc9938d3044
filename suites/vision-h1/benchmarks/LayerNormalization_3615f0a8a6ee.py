"""LayerNormalization alone: `python LayerNormalization_3615f0a8a6ee.py [--threads N] [--json]`.

Benchmark 3615f0a8a6ee8094b10f3b3aee3f5d6f516f6d2fc5bbf7a14a6c4fd66e11bf43,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3615f0a8a6ee8094b10f3b3aee3f5d6f516f6d2fc5bbf7a14a6c4fd66e11bf43', SUITE, sys.argv[1:]))
