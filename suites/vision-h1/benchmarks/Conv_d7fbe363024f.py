"""Conv alone: `python Conv_d7fbe363024f.py [--threads N] [--json]`.

Benchmark d7fbe363024fe6a253c64ab09268a66891617a659c66b973d665419ce9c19d8e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d7fbe363024fe6a253c64ab09268a66891617a659c66b973d665419ce9c19d8e', SUITE, sys.argv[1:]))
