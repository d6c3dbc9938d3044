"""LayerNormalization alone: `python LayerNormalization_455a2137a212.py [--threads N] [--json]`.

Benchmark 455a2137a212f1623850364b7a9e5ff1e92f5f3a2a6ded8362d2218df3e91f9c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('455a2137a212f1623850364b7a9e5ff1e92f5f3a2a6ded8362d2218df3e91f9c', SUITE, sys.argv[1:]))
