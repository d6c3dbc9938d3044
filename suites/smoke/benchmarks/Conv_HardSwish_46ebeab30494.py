"""Conv_HardSwish alone: `python Conv_HardSwish_46ebeab30494.py [--threads N] [--json]`.

Benchmark 46ebeab3049499e5f89ce98402d788a81f4fa101c371882ce9c8a9d8575aaea9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('46ebeab3049499e5f89ce98402d788a81f4fa101c371882ce9c8a9d8575aaea9', SUITE, sys.argv[1:]))
