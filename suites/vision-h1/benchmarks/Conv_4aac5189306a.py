"""Conv alone: `python Conv_4aac5189306a.py [--threads N] [--json]`.

Benchmark 4aac5189306a19824b9d619cc5190959592891bab6aad2f877ef7a567bba39a1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4aac5189306a19824b9d619cc5190959592891bab6aad2f877ef7a567bba39a1', SUITE, sys.argv[1:]))
