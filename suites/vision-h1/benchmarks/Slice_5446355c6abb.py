"""Slice alone: `python Slice_5446355c6abb.py [--threads N] [--json]`.

Benchmark 5446355c6abb8f8cab1bac73d89d61ac41e777b93775bb05abce941fe64385dd,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5446355c6abb8f8cab1bac73d89d61ac41e777b93775bb05abce941fe64385dd', SUITE, sys.argv[1:]))
