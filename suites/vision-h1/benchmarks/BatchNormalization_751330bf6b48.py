"""BatchNormalization alone: `python BatchNormalization_751330bf6b48.py [--threads N] [--json]`.

Benchmark 751330bf6b48538caa43012ee9461dd1324b70082b3a332c0a553f523beedc1c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('751330bf6b48538caa43012ee9461dd1324b70082b3a332c0a553f523beedc1c', SUITE, sys.argv[1:]))
