"""BatchNormalization alone: `python BatchNormalization_2572270b8939.py [--threads N] [--json]`.

Benchmark 2572270b89392ed3493e32b37f46412dda49d7427e19afbdf324f8017c08699c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2572270b89392ed3493e32b37f46412dda49d7427e19afbdf324f8017c08699c', SUITE, sys.argv[1:]))
