"""BatchNormalization alone: `python BatchNormalization_4e38b33b9666.py [--threads N] [--json]`.

Benchmark 4e38b33b96661c08643cc9e88bf00be0c062c3043e698fec48c0181e72e97aae,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4e38b33b96661c08643cc9e88bf00be0c062c3043e698fec48c0181e72e97aae', SUITE, sys.argv[1:]))
