"""Add alone: `python Add_5612414450d6.py [--threads N] [--json]`.

Benchmark 5612414450d61810df7f2026c87aaea70b5319ea9330e13837d8312a2e5b71a5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5612414450d61810df7f2026c87aaea70b5319ea9330e13837d8312a2e5b71a5', SUITE, sys.argv[1:]))
