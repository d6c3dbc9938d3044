"""BatchNormalization alone: `python BatchNormalization_f5af6f44da0c.py [--threads N] [--json]`.

Benchmark f5af6f44da0c021ee3cef87bef5b52968c3ab9e00d4f3e88d37406019755a815,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f5af6f44da0c021ee3cef87bef5b52968c3ab9e00d4f3e88d37406019755a815', SUITE, sys.argv[1:]))
