"""Conv alone: `python Conv_573f7d46e808.py [--threads N] [--json]`.

Benchmark 573f7d46e8089b9e2770750cdc0fdf6b120598c325a93dd0957d914c4d1d5169,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('573f7d46e8089b9e2770750cdc0fdf6b120598c325a93dd0957d914c4d1d5169', SUITE, sys.argv[1:]))
