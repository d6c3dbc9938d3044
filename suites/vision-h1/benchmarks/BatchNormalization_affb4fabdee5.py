"""BatchNormalization alone: `python BatchNormalization_affb4fabdee5.py [--threads N] [--json]`.

Benchmark affb4fabdee5e29ab42d708c278f5faa682faf464d8cb9abf9f8032c02622441,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('affb4fabdee5e29ab42d708c278f5faa682faf464d8cb9abf9f8032c02622441', SUITE, sys.argv[1:]))
