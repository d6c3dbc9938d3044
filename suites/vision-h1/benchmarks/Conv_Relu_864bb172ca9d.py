"""Conv_Relu alone: `python Conv_Relu_864bb172ca9d.py [--threads N] [--json]`.

Benchmark 864bb172ca9d6d7c368c976fe88dba1286ef4b421e693d7634a38281cb207420,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('864bb172ca9d6d7c368c976fe88dba1286ef4b421e693d7634a38281cb207420', SUITE, sys.argv[1:]))
