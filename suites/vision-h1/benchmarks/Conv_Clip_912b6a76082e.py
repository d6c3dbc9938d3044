"""Conv_Clip alone: `python Conv_Clip_912b6a76082e.py [--threads N] [--json]`.

Benchmark 912b6a76082e981aca8878344877232d2941f7844984b913df67ee5e23486490,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('912b6a76082e981aca8878344877232d2941f7844984b913df67ee5e23486490', SUITE, sys.argv[1:]))
