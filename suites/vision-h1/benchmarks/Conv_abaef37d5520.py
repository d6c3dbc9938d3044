"""Conv alone: `python Conv_abaef37d5520.py [--threads N] [--json]`.

Benchmark abaef37d55208eac8c47eb25df2d3030c6b5a85ff7a66049b60a912c0c18ddfd,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('abaef37d55208eac8c47eb25df2d3030c6b5a85ff7a66049b60a912c0c18ddfd', SUITE, sys.argv[1:]))
