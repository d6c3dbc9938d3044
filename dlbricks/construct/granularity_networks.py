"""Reading networks to choose a granularity for them, each in a process of its own."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from dlbricks.construct.granularity_costs import Setting, Uses, model_uses
from dlbricks.errors import InputError, UnsupportedModelError
from dlbricks.model.lowering.onnxruntime_cpu import lower
from dlbricks.model.read.network import read_batched
from dlbricks.suite.workers import Crashed, Workers


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkOrder:
    """One network, and at which settings it is looked at."""

    path: Path
    dims: tuple[tuple[str, int], ...]
    target: str
    threads: int
    """Threads that the lowered graph is made for."""
    settings: tuple[Setting, ...]
    batch: int | None = None
    """Inputs per call; None for what the file and ``dims`` say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A sound network that cannot be used."""

    path: Path
    reason: str


def gather(
    orders: Sequence[NetworkOrder], jobs: int, told: Callable[[str, int, int], None]
) -> tuple[list[Uses], list[Refused]]:
    """Say what each network needs; those that cannot be used are left out, as in a suite.

    Args:
        orders: at least one.
        jobs: processes.
        told: told how far it is.

    Raises:
        InputError: a file is no sound network, or a dimension is unbound.
        UnsupportedModelError: none of the networks can be used.
    """
    with Workers(jobs) as workers:
        made = workers.each(network_uses, orders, lambda done: told("granularities", done, len(orders)))
    uses, refused = list[Uses](), list[Refused]()
    for one in made:
        if isinstance(one, Crashed):
            raise InputError(f"{one.given.path} crashed the process that read it: leave it out, and report it")
        if isinstance(one, Refused):
            refused.append(one)
        else:
            uses.append(one)
    if not uses:
        raise UnsupportedModelError(refused[0].reason)
    return uses, refused


def network_uses(order: NetworkOrder) -> Uses | Refused:
    """Read a network and say what it needs.

    Raises:
        InputError: the file is no sound network, or a dimension is unbound.
    """
    try:
        portable = read_batched(order.path, dims=dict(order.dims), batch=order.batch)
        model = portable if order.target == "portable" else lower(portable, threads=order.threads)
    except UnsupportedModelError as error:
        return Refused(path=order.path, reason=str(error))
    return model_uses(model, order.settings)
