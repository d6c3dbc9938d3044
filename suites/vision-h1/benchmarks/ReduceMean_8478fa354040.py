"""ReduceMean alone: `python ReduceMean_8478fa354040.py [--threads N] [--json]`.

Benchmark 8478fa354040fbf0e0e1a347c243645692850f5a4847d7d333cf84a197d8d00d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8478fa354040fbf0e0e1a347c243645692850f5a4847d7d333cf84a197d8d00d', SUITE, sys.argv[1:]))
