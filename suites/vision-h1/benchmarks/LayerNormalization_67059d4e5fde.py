"""LayerNormalization alone: `python LayerNormalization_67059d4e5fde.py [--threads N] [--json]`.

Benchmark 67059d4e5fde44104e6add714c3e57b6f38205fa60603c1e3294fe7c511e8597,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('67059d4e5fde44104e6add714c3e57b6f38205fa60603c1e3294fe7c511e8597', SUITE, sys.argv[1:]))
