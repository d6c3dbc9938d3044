"""Concat alone: `python Concat_fd67b34eee39.py [--threads N] [--json]`.

Benchmark fd67b34eee3909eda90d56f55d83c7b15fa0465090bf5b9300e763a4dc27961f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fd67b34eee3909eda90d56f55d83c7b15fa0465090bf5b9300e763a4dc27961f', SUITE, sys.argv[1:]))
