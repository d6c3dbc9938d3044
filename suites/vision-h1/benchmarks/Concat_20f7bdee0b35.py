"""Concat alone: `python Concat_20f7bdee0b35.py [--threads N] [--json]`.

Benchmark 20f7bdee0b354162dbbccc5b641bacb8aaf05a15fe6262c120ba853b52cfa844,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('20f7bdee0b354162dbbccc5b641bacb8aaf05a15fe6262c120ba853b52cfa844', SUITE, sys.argv[1:]))
