"""ReduceMean alone: `python ReduceMean_658c7a7e827f.py [--threads N] [--json]`.

Benchmark 658c7a7e827f13130e52dec604311aa474b68e2481864cafd83f4d75d3a31742,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('658c7a7e827f13130e52dec604311aa474b68e2481864cafd83f4d75d3a31742', SUITE, sys.argv[1:]))
