"""Conv_Add alone: `python Conv_Add_e885978d37e8.py [--threads N] [--json]`.

Benchmark e885978d37e816c76f97f48c68e391fd310fb5980188219d89088a9235482bd2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e885978d37e816c76f97f48c68e391fd310fb5980188219d89088a9235482bd2', SUITE, sys.argv[1:]))
