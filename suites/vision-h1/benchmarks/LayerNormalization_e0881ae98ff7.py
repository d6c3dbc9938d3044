"""LayerNormalization alone: `python LayerNormalization_e0881ae98ff7.py [--threads N] [--json]`.

Benchmark e0881ae98ff76d8db938699f6e606d600e5bd23a325348f39750d46af8ace606,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e0881ae98ff76d8db938699f6e606d600e5bd23a325348f39750d46af8ace606', SUITE, sys.argv[1:]))
