"""BatchNormalization alone: `python BatchNormalization_47ccbebd6967.py [--threads N] [--json]`.

Benchmark 47ccbebd6967402cd29fc579a24f16780f94269ac7c0bd811f5646081eef3657,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('47ccbebd6967402cd29fc579a24f16780f94269ac7c0bd811f5646081eef3657', SUITE, sys.argv[1:]))
