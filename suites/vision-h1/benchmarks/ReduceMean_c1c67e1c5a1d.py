"""ReduceMean alone: `python ReduceMean_c1c67e1c5a1d.py [--threads N] [--json]`.

Benchmark c1c67e1c5a1de051f1ec9fb8a8988a503ffca491b50e4514586822093d8d7a9f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c1c67e1c5a1de051f1ec9fb8a8988a503ffca491b50e4514586822093d8d7a9f', SUITE, sys.argv[1:]))
