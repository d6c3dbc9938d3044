"""BatchNormalization alone: `python BatchNormalization_60cb9b52a40e.py [--threads N] [--json]`.

Benchmark 60cb9b52a40e15aad590798e4f38759f16fd2dd06805c51727e682fd2fd50622,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('60cb9b52a40e15aad590798e4f38759f16fd2dd06805c51727e682fd2fd50622', SUITE, sys.argv[1:]))
