"""LayerNormalization alone: `python LayerNormalization_2a0869c92f05.py [--threads N] [--json]`.

Benchmark 2a0869c92f05e38c8077f16a805374ec6cc35708467f13a67d4f89c81388133d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2a0869c92f05e38c8077f16a805374ec6cc35708467f13a67d4f89c81388133d', SUITE, sys.argv[1:]))
