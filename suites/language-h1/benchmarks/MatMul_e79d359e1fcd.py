"""MatMul alone: `python MatMul_e79d359e1fcd.py [--threads N] [--json]`.

Benchmark e79d359e1fcd811974f680a30d14ca36f9e9b18de054431f7926e378a84a1239,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e79d359e1fcd811974f680a30d14ca36f9e9b18de054431f7926e378a84a1239', SUITE, sys.argv[1:]))
