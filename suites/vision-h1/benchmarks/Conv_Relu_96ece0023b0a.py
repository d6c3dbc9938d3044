"""Conv_Relu alone: `python Conv_Relu_96ece0023b0a.py [--threads N] [--json]`.

Benchmark 96ece0023b0aad404d6fa6bc946eab573265ba562e772968ef4093739ed4d956,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('96ece0023b0aad404d6fa6bc946eab573265ba562e772968ef4093739ed4d956', SUITE, sys.argv[1:]))
