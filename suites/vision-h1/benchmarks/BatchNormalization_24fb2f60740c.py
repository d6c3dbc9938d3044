"""BatchNormalization alone: `python BatchNormalization_24fb2f60740c.py [--threads N] [--json]`.

Benchmark 24fb2f60740c894be008691be7bc522fcafafcfb442814c99bc16e4636b20e06,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('24fb2f60740c894be008691be7bc522fcafafcfb442814c99bc16e4636b20e06', SUITE, sys.argv[1:]))
