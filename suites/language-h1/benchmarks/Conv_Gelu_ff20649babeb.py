"""Conv_Gelu alone: `python Conv_Gelu_ff20649babeb.py [--threads N] [--json]`.

Benchmark ff20649babebd13bcb804891b7dffd8be3ffceb0edb873fdcf77be6fbbf54bb9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ff20649babebd13bcb804891b7dffd8be3ffceb0edb873fdcf77be6fbbf54bb9', SUITE, sys.argv[1:]))
