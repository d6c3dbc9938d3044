"""Conv_Clip alone: `python Conv_Clip_3120e7d27f47.py [--threads N] [--json]`.

Benchmark 3120e7d27f471bb45fc3dbd106ff4e62e2260b4c0da71111957b34913dd0e424,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3120e7d27f471bb45fc3dbd106ff4e62e2260b4c0da71111957b34913dd0e424', SUITE, sys.argv[1:]))
