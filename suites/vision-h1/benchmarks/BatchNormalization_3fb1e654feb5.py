"""BatchNormalization alone: `python BatchNormalization_3fb1e654feb5.py [--threads N] [--json]`.

Benchmark 3fb1e654feb5074856b77307ed9522fae976e84ab836a43a2353ce7dc804a9f7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3fb1e654feb5074856b77307ed9522fae976e84ab836a43a2353ce7dc804a9f7', SUITE, sys.argv[1:]))
