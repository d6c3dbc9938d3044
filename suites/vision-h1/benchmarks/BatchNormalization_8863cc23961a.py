"""BatchNormalization alone: `python BatchNormalization_8863cc23961a.py [--threads N] [--json]`.

Benchmark 8863cc23961a7524e7e0562f93597e147138d3e6ef27b403ceaa1bd31e98fc61,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8863cc23961a7524e7e0562f93597e147138d3e6ef27b403ceaa1bd31e98fc61', SUITE, sys.argv[1:]))
