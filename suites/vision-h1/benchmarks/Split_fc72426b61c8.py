"""Split alone: `python Split_fc72426b61c8.py [--threads N] [--json]`.

Benchmark fc72426b61c8f25587a97a37b40f23a39612f4ca705eae43c73558f1339773fc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fc72426b61c8f25587a97a37b40f23a39612f4ca705eae43c73558f1339773fc', SUITE, sys.argv[1:]))
