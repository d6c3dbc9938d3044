"""ReduceMean alone: `python ReduceMean_632d069a38e4.py [--threads N] [--json]`.

Benchmark 632d069a38e4c827c1c6c04f6902a7518a1926339b35490ead6f9ca4d30d46a9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('632d069a38e4c827c1c6c04f6902a7518a1926339b35490ead6f9ca4d30d46a9', SUITE, sys.argv[1:]))
