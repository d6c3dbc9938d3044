"""Conv alone: `python Conv_da198dbcbf3c.py [--threads N] [--json]`.

Benchmark da198dbcbf3cf47c67e3113f4664d8b06ec643dc205da2d5b6228f5c94cb6a92,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('da198dbcbf3cf47c67e3113f4664d8b06ec643dc205da2d5b6228f5c94cb6a92', SUITE, sys.argv[1:]))
