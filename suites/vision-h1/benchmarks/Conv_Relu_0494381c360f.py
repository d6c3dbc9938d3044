"""Conv_Relu alone: `python Conv_Relu_0494381c360f.py [--threads N] [--json]`.

Benchmark 0494381c360fc1e2211f1511c340df11351c675cd069b7267e1dee609f10eb33,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0494381c360fc1e2211f1511c340df11351c675cd069b7267e1dee609f10eb33', SUITE, sys.argv[1:]))
