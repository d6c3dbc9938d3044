"""Conv alone: `python Conv_6d5740711b5f.py [--threads N] [--json]`.

Benchmark 6d5740711b5f1e160a2043504fe9289c5bc553b407e00c28b6b7128e9191e22d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6d5740711b5f1e160a2043504fe9289c5bc553b407e00c28b6b7128e9191e22d', SUITE, sys.argv[1:]))
