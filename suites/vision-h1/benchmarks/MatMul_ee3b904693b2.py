"""MatMul alone: `python MatMul_ee3b904693b2.py [--threads N] [--json]`.

Benchmark ee3b904693b2e98965fde4428d19810bdf84384b199777a3097dc6f674a2d6da,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ee3b904693b2e98965fde4428d19810bdf84384b199777a3097dc6f674a2d6da', SUITE, sys.argv[1:]))
