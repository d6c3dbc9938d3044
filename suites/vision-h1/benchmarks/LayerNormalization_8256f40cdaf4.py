"""LayerNormalization alone: `python LayerNormalization_8256f40cdaf4.py [--threads N] [--json]`.

Benchmark 8256f40cdaf4e0cdecf68e07a2006ad4f66e41c4d19b0395a29b254c871aff8d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8256f40cdaf4e0cdecf68e07a2006ad4f66e41c4d19b0395a29b254c871aff8d', SUITE, sys.argv[1:]))
