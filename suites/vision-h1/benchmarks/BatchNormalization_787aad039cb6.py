"""BatchNormalization alone: `python BatchNormalization_787aad039cb6.py [--threads N] [--json]`.

Benchmark 787aad039cb67b280a5a76ae77cc559c98e0527ede9bbc26cf0ffc0ab50f2e17,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('787aad039cb67b280a5a76ae77cc559c98e0527ede9bbc26cf0ffc0ab50f2e17', SUITE, sys.argv[1:]))
