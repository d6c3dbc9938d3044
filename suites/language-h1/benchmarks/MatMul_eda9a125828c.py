"""MatMul alone: `python MatMul_eda9a125828c.py [--threads N] [--json]`.

Benchmark eda9a125828cd8c5c5905033332317146d86d02fdfa3320927e3f5028792849c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('eda9a125828cd8c5c5905033332317146d86d02fdfa3320927e3f5028792849c', SUITE, sys.argv[1:]))
