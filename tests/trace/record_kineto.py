"""Record the trace that the tests read: a few steps of training a tiny network with PyTorch on the processor.

``python tests/trace/record_kineto.py tests/data/kineto_cpu_training.json.gz`` with torch 2.13.0 and numpy installed;
the tests themselves need neither. Paths of the machine are taken out of the stack frames.
"""

import gzip
import json
import re
import sys
import tempfile
from pathlib import Path

import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile, record_function, schedule

_MACHINE = (
    (r'"traceName": "[^"]*"', '"traceName": "trace.json"'),
    (r'"host_name": "[^"]*"', '"host_name": "host"'),
    (r'"trace_id": "[^"]*"', '"trace_id": "0"'),
    (r'(?<=")(<[^>"]*>|/[^"(]*/)(?:site-packages|python3\.11)/', ""),
    (r'(?<=")/[^"(]*/(?=[^"/(]*\.py\()', ""),
)
"""What tells of the machine, and what stands in its place."""


def recorded() -> str:
    """Train for two recorded steps and give the profiler's text."""
    torch.manual_seed(0)
    torch.set_num_threads(1)
    network = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 14 * 14, 10))
    optimizer = torch.optim.SGD(network.parameters(), lr=0.01, momentum=0.9)
    images, labels = torch.randn(64, 3, 16, 16), torch.randint(10, (64,))
    loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(images, labels), batch_size=16)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.json"
        with profile(
            activities=[ProfilerActivity.CPU],
            schedule=schedule(wait=0, warmup=1, active=2, repeat=1),
            on_trace_ready=lambda done: done.export_chrome_trace(str(path)),
            record_shapes=True,
            profile_memory=True,
            with_stack=True,
        ) as profiler:
            for inputs, targets in loader:
                optimizer.zero_grad()
                with record_function("forward"):
                    loss = nn.functional.cross_entropy(network(inputs), targets)
                loss.backward()
                optimizer.step()
                profiler.step()
        return path.read_text(encoding="utf-8")


def main() -> None:
    """Write the trace, compressed, without what tells of this machine."""
    text = recorded()
    for pattern, other in _MACHINE:
        text = re.sub(pattern, other, text)
    json.loads(text)
    Path(sys.argv[1]).write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    main()
