"""LayerNormalization alone: `python LayerNormalization_94914192057d.py [--threads N] [--json]`.

Benchmark 94914192057dd6a09f36465a5a1633579c338d4f01f09c0744efceca0c386d83,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('94914192057dd6a09f36465a5a1633579c338d4f01f09c0744efceca0c386d83', SUITE, sys.argv[1:]))
