"""Conv_Relu alone: `python Conv_Relu_751e8147800a.py [--threads N] [--json]`.

Benchmark 751e8147800adabf113a5eb14d646b903539f9120cdbec874af15440c232dddb,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('751e8147800adabf113a5eb14d646b903539f9120cdbec874af15440c232dddb', SUITE, sys.argv[1:]))
