"""Conv_Relu alone: `python Conv_Relu_ea390fce1175.py [--threads N] [--json]`.

Benchmark ea390fce11753ed6073ca398bbbddc6c06b167fad49952025dbbc3ffb52c7b92,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ea390fce11753ed6073ca398bbbddc6c06b167fad49952025dbbc3ffb52c7b92', SUITE, sys.argv[1:]))
