"""BatchNormalization alone: `python BatchNormalization_e559eb2280ac.py [--threads N] [--json]`.

Benchmark e559eb2280ace38e18fc5037ba3bdf97f0bb656054effbc7104a688ffdc12210,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e559eb2280ace38e18fc5037ba3bdf97f0bb656054effbc7104a688ffdc12210', SUITE, sys.argv[1:]))
