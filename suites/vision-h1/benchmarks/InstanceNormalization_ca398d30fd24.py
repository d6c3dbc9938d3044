"""InstanceNormalization alone: `python InstanceNormalization_ca398d30fd24.py [--threads N] [--json]`.

Benchmark ca398d30fd24e63937bfa2886b46e48d1430102ff309abccea4f116d2b531f8f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ca398d30fd24e63937bfa2886b46e48d1430102ff309abccea4f116d2b531f8f', SUITE, sys.argv[1:]))
