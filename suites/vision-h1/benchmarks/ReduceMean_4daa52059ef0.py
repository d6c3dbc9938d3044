"""ReduceMean alone: `python ReduceMean_4daa52059ef0.py [--threads N] [--json]`.

Benchmark 4daa52059ef081b5beef1a243333a5cb12e512e1c3e6aaa56eec6e060b698839,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4daa52059ef081b5beef1a243333a5cb12e512e1c3e6aaa56eec6e060b698839', SUITE, sys.argv[1:]))
