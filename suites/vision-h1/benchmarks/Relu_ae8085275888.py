"""Relu alone: `python Relu_ae8085275888.py [--threads N] [--json]`.

Benchmark ae808527588878261ffcb748dd7e379fb36e35d397d0a2fea5fea1f011fd55de,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ae808527588878261ffcb748dd7e379fb36e35d397d0a2fea5fea1f011fd55de', SUITE, sys.argv[1:]))
