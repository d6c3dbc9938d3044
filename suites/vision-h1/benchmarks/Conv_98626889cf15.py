"""Conv alone: `python Conv_98626889cf15.py [--threads N] [--json]`.

Benchmark 98626889cf1583bb4a114c0e40a5704b74e30b117c13ae4c9d375ed25af8c09c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('98626889cf1583bb4a114c0e40a5704b74e30b117c13ae4c9d375ed25af8c09c', SUITE, sys.argv[1:]))
