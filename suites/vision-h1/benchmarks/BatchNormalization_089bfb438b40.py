"""BatchNormalization alone: `python BatchNormalization_089bfb438b40.py [--threads N] [--json]`.

Benchmark 089bfb438b4088e782a8a64db590368a423284260d27a81dc2defc63d1697d2b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('089bfb438b4088e782a8a64db590368a423284260d27a81dc2defc63d1697d2b', SUITE, sys.argv[1:]))
