"""Conv_HardSwish alone: `python Conv_HardSwish_288df267043c.py [--threads N] [--json]`.

Benchmark 288df267043c58d72131b8cce661bc62845c60afabd433eb188de3d77292fc3c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('288df267043c58d72131b8cce661bc62845c60afabd433eb188de3d77292fc3c', SUITE, sys.argv[1:]))
