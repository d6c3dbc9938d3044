"""BatchNormalization alone: `python BatchNormalization_bd9ef2e3aecf.py [--threads N] [--json]`.

Benchmark bd9ef2e3aecfdeb25700a47d31f29c8317fd813ddcba00e943ccf3c7fd12ef78,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bd9ef2e3aecfdeb25700a47d31f29c8317fd813ddcba00e943ccf3c7fd12ef78', SUITE, sys.argv[1:]))
