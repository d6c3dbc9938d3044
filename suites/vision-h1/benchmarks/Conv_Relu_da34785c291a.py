"""Conv_Relu alone: `python Conv_Relu_da34785c291a.py [--threads N] [--json]`.

Benchmark da34785c291a1a5c2395a6708d83af7d173624c646cb27f4090ea58a2e384451,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('da34785c291a1a5c2395a6708d83af7d173624c646cb27f4090ea58a2e384451', SUITE, sys.argv[1:]))
