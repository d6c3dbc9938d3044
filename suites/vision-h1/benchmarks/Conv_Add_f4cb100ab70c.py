"""Conv_Add alone: `python Conv_Add_f4cb100ab70c.py [--threads N] [--json]`.

Benchmark f4cb100ab70ca7876085d889ce49a9d9114b8c488d1982a553d4dd7e44aca0d6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f4cb100ab70ca7876085d889ce49a9d9114b8c488d1982a553d4dd7e44aca0d6', SUITE, sys.argv[1:]))
