"""BatchNormalization alone: `python BatchNormalization_4e9463749735.py [--threads N] [--json]`.

Benchmark 4e94637497356214f8a01e32958bb70b768082b946beac37989d6a45eeba0fcc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4e94637497356214f8a01e32958bb70b768082b946beac37989d6a45eeba0fcc', SUITE, sys.argv[1:]))
