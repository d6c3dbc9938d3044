"""BatchNormalization alone: `python BatchNormalization_46b5ace05138.py [--threads N] [--json]`.

Benchmark 46b5ace0513871bbf11453eb8c9689e17772feb4336da09200b44fb1faf6391c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('46b5ace0513871bbf11453eb8c9689e17772feb4336da09200b44fb1faf6391c', SUITE, sys.argv[1:]))
