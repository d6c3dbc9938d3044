"""BatchNormalization alone: `python BatchNormalization_9a68a206790a.py [--threads N] [--json]`.

Benchmark 9a68a206790ae00ea6f3eb48dab7663e366475412e676bbed1008d8304459482,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9a68a206790ae00ea6f3eb48dab7663e366475412e676bbed1008d8304459482', SUITE, sys.argv[1:]))
