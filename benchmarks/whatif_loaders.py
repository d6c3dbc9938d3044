"""Back-tests of ``data-loader`` on a processor that trains itself: workers and training share its cores.

``python benchmarks/whatif_loaders.py`` with torch installed trains small networks on pictures that are blurred, cut
and turned when they are read, by the main thread and by two workers, records both with PyTorch's profiler, and predicts
the second from the first. It writes ``suites/results/whatif-loaders.json``; the traces are not kept.
"""

import itertools
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from backtest.cases import BackTest, BackTests, report, write_tests
from torch import nn

from dlbricks.report.console import show
from dlbricks.whatif.answer import timing
from dlbricks.whatif.evidence import kind_of
from dlbricks.whatif.simulate import replay, run
from dlbricks.whatif.sources import graph_of_files
from dlbricks.whatif.transform import apply_all, read_step
from dlbricks.whatif.transforms import all_transforms

OUT = Path(__file__).resolve().parents[1] / "suites" / "results" / "whatif-loaders.json"
WORKERS = 2
_WARM, _RECORDED, _SIZE = 8, 8, 64


def _convolutions(depth: int, width: int) -> nn.Module:
    inner = [one for _ in range(depth) for one in (nn.Conv2d(width, width, 3, padding=1), nn.ReLU())]
    head = (nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(width, 10))
    return nn.Sequential(nn.Conv2d(3, width, 3, stride=2), nn.BatchNorm2d(width), nn.ReLU(), *inner, *head)


def _dense(width: int) -> nn.Module:
    first = nn.Linear(3 * _SIZE * _SIZE, width)
    return nn.Sequential(nn.Flatten(), first, nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 10))


class _Rows(nn.Module):  # type: ignore[misc]
    """A network that reads the rows of a picture in turn."""

    def __init__(self, body: nn.Module) -> None:
        super().__init__()
        self.body, self.head = body, nn.Linear(3 * _SIZE, 10)

    def forward(self, pictures: torch.Tensor) -> Any:
        out = self.body(pictures.permute(0, 2, 1, 3).flatten(2))
        return self.head((out[0] if isinstance(out, tuple) else out)[:, -1])


NETWORKS: dict[str, tuple[Callable[[], nn.Module], int]] = {
    "convolutions, 4 of 16": (lambda: _convolutions(4, 16), 32),
    "convolutions, 8 of 32": (lambda: _convolutions(8, 32), 32),
    "convolutions, 2 of 8": (lambda: _convolutions(2, 8), 64),
    "dense, 256": (lambda: _dense(256), 64),
    "dense, 1024": (lambda: _dense(1024), 32),
    "lstm": (lambda: _Rows(nn.LSTM(3 * _SIZE, 3 * _SIZE, batch_first=True)), 32),
    "encoder": (lambda: _Rows(nn.TransformerEncoderLayer(3 * _SIZE, 4, 512, batch_first=True)), 32),
    "two encoders": (
        lambda: _Rows(nn.TransformerEncoder(nn.TransformerEncoderLayer(192, 4, 768, batch_first=True), 2)),
        64,
    ),
}
"""A network and its batch by name."""


class Pictures:
    """Pictures that are made larger, blurred, cut, turned at random and scaled when read."""

    def __init__(self) -> None:
        """Make a few pictures."""
        self.pictures = np.random.default_rng(0).integers(0, 255, (16, 3, 40, 40), np.uint8)

    def __len__(self) -> int:
        """Return as many as steps need."""
        return 10_000

    def __getitem__(self, number: int) -> Any:
        """Return a picture and its class."""
        generator = np.random.default_rng(number)
        large: Any = np.kron(self.pictures[number % 16], np.ones((1, 3, 3), np.uint8)).astype(np.float32)
        spectrum = np.fft.rfft2(large)
        large = np.fft.irfft2(
            spectrum * (np.abs(np.fft.fftfreq(120))[:, None] < generator.uniform(0.1, 0.5)), s=(120, 120)
        )
        left, top = generator.integers(0, large.shape[1] - _SIZE, 2)
        cut = large[:, top : top + _SIZE, left : left + _SIZE][..., :: generator.choice([-1, 1])]
        return torch.from_numpy(np.ascontiguousarray((cut - cut.mean()) / (cut.std() + 1), np.float32)), number % 10


def record(network: nn.Module, batch: int, workers: int, path: Path) -> None:
    """Train some steps, and write the trace of the last ones."""
    loader = torch.utils.data.DataLoader(Pictures(), batch_size=batch, num_workers=workers)
    optimizer, loss = torch.optim.SGD(network.parameters(), lr=1e-3), nn.CrossEntropyLoss()
    planned = torch.profiler.schedule(wait=_WARM, warmup=2, active=_RECORDED, repeat=1)
    with torch.profiler.profile(
        activities=[torch.profiler.ProfilerActivity.CPU],
        schedule=planned,
        on_trace_ready=lambda done: done.export_chrome_trace(str(path)),
        record_shapes=True,
    ) as profiler:
        for inputs, classes in itertools.islice(loader, _WARM + 2 + _RECORDED):
            optimizer.zero_grad()
            loss(network(inputs), classes).backward()
            optimizer.step()
            profiler.step()


def backtests() -> Iterator[BackTest]:
    """Record each network without and with workers, and predict the second run from the first."""
    known = all_transforms()
    for name, (made, batch) in NETWORKS.items():
        torch.manual_seed(0)
        network = made()
        with tempfile.TemporaryDirectory() as scratch:
            paths = [Path(scratch) / f"workers{workers}.json" for workers in (0, WORKERS)]
            for workers, path in zip((0, WORKERS), paths, strict=True):
                record(network, batch, workers, path)
            before, after = (graph_of_files([path]) for path in paths)
        asked = f"data-loader:{WORKERS}"
        changed = apply_all(before, [read_step(asked, known)])
        yield BackTest(
            transform=asked,
            case=f"{name}, batch {batch}",
            before_ns=float(timing(before, replay(before)).time_ns),
            predicted_ns=float(timing(changed.graph, run(changed.graph, changed.policy)).time_ns),
            truth_ns=float(timing(after, replay(after)).time_ns),
            knew="nothing",
            kind=kind_of(before),
        )


if __name__ == "__main__":
    found = tuple(backtests())
    write_tests(found, OUT)
    show(*report(BackTests(tests=found)))
