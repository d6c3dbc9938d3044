"""AveragePool alone: `python AveragePool_65aef03ae8c7.py [--threads N] [--json]`.

Benchmark 65aef03ae8c75052af89dd2497fe52287d12aba473b8c06c1396c45049260332,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('65aef03ae8c75052af89dd2497fe52287d12aba473b8c06c1396c45049260332', SUITE, sys.argv[1:]))
