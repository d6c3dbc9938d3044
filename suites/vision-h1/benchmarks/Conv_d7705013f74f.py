"""Conv alone: `python Conv_d7705013f74f.py [--threads N] [--json]`.

Benchmark d7705013f74ff508d17d54f47da4fd01cd1448f0419deb3f31a4d101992e9ab3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d7705013f74ff508d17d54f47da4fd01cd1448f0419deb3f31a4d101992e9ab3', SUITE, sys.argv[1:]))
