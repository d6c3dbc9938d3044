"""Conv_Gelu alone: `python Conv_Gelu_ae911da0c493.py [--threads N] [--json]`.

Benchmark ae911da0c493d212dac2da8547431d61985f1673540f00fe2ca80dc576cd06e3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ae911da0c493d212dac2da8547431d61985f1673540f00fe2ca80dc576cd06e3', SUITE, sys.argv[1:]))
