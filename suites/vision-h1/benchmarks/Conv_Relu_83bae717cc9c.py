"""Conv_Relu alone: `python Conv_Relu_83bae717cc9c.py [--threads N] [--json]`.

Benchmark 83bae717cc9cb27f8c59d60ee430a029dff9a47d6ee701fbb187f0416f8ab9ca,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('83bae717cc9cb27f8c59d60ee430a029dff9a47d6ee701fbb187f0416f8ab9ca', SUITE, sys.argv[1:]))
