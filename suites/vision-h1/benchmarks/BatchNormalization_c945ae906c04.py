"""BatchNormalization alone: `python BatchNormalization_c945ae906c04.py [--threads N] [--json]`.

Benchmark c945ae906c0492389dc428c44a40976c2338863ad3db7bb79fbce0947036e41e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c945ae906c0492389dc428c44a40976c2338863ad3db7bb79fbce0947036e41e', SUITE, sys.argv[1:]))
