"""Conv_Relu alone: `python Conv_Relu_82eed2d00114.py [--threads N] [--json]`.

Benchmark 82eed2d00114d76f53338fb285f7f889ed495271ff4214b37d83f51709f2e842,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('82eed2d00114d76f53338fb285f7f889ed495271ff4214b37d83f51709f2e842', SUITE, sys.argv[1:]))
