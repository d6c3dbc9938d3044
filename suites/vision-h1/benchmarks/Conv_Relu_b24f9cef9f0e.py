"""Conv_Relu alone: `python Conv_Relu_b24f9cef9f0e.py [--threads N] [--json]`.

Benchmark b24f9cef9f0e966af112eee5a686d1c8c3208b13abe1f716193721ec56174c4a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b24f9cef9f0e966af112eee5a686d1c8c3208b13abe1f716193721ec56174c4a', SUITE, sys.argv[1:]))
