"""Conv_Clip alone: `python Conv_Clip_4f9aa5006401.py [--threads N] [--json]`.

Benchmark 4f9aa5006401d705544444ff4b66a86f68f65420396a3188ae070b9179d8b615,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4f9aa5006401d705544444ff4b66a86f68f65420396a3188ae070b9179d8b615', SUITE, sys.argv[1:]))
