"""Conv_Relu alone: `python Conv_Relu_88bdf3b3e59d.py [--threads N] [--json]`.

Benchmark 88bdf3b3e59d19e305da49e8a09e2dea929d71762071910e52b6bd6057f963f8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('88bdf3b3e59d19e305da49e8a09e2dea929d71762071910e52b6bd6057f963f8', SUITE, sys.argv[1:]))
