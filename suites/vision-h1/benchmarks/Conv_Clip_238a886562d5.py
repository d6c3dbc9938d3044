"""Conv_Clip alone: `python Conv_Clip_238a886562d5.py [--threads N] [--json]`.

Benchmark 238a886562d5eeae1c309e9f52d722a60a7d8a85a5ba61750e92234073035a08,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('238a886562d5eeae1c309e9f52d722a60a7d8a85a5ba61750e92234073035a08', SUITE, sys.argv[1:]))
