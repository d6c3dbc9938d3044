"""BatchNormalization alone: `python BatchNormalization_6553588e96ca.py [--threads N] [--json]`.

Benchmark 6553588e96caf1c41c6c62ad9239b5f0e73bab34d2beb376bf0d90dbdd108aa7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6553588e96caf1c41c6c62ad9239b5f0e73bab34d2beb376bf0d90dbdd108aa7', SUITE, sys.argv[1:]))
