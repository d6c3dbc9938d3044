"""Conv_Relu alone: `python Conv_Relu_4fa1369bcd74.py [--threads N] [--json]`.

Benchmark 4fa1369bcd74419b6c04bde303326378f3741aecf5df37b7e4a7e304d8f2a0fe,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4fa1369bcd74419b6c04bde303326378f3741aecf5df37b7e4a7e304d8f2a0fe', SUITE, sys.argv[1:]))
