"""LayerNormalization alone: `python LayerNormalization_968e1539363d.py [--threads N] [--json]`.

Benchmark 968e1539363d3dadac01af035875a5902d3b7d2097f41dd1145ea4b0435d2c1f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('968e1539363d3dadac01af035875a5902d3b7d2097f41dd1145ea4b0435d2c1f', SUITE, sys.argv[1:]))
