"""Conv_Relu alone: `python Conv_Relu_4cd25b48ae8c.py [--threads N] [--json]`.

Benchmark 4cd25b48ae8c79531fa4124341c79a7095b52cc07929fba8f9876980aee2e7df,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4cd25b48ae8c79531fa4124341c79a7095b52cc07929fba8f9876980aee2e7df', SUITE, sys.argv[1:]))
