"""MatMul alone: `python MatMul_5c9cd83c4f42.py [--threads N] [--json]`.

Benchmark 5c9cd83c4f422d4314e416518e4fa81c824d204fa69a58539e46c0fa679d4530,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5c9cd83c4f422d4314e416518e4fa81c824d204fa69a58539e46c0fa679d4530', SUITE, sys.argv[1:]))
