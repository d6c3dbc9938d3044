"""A pool of workers on a Dask cluster, with the interface of ``process_pool.Workers``.

The cluster processes each item in a forked process, with the same limits on time and memory.
"""

import logging
import multiprocessing
import os
import signal
import socket
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self, TypeVar

import onnx

from dlbricks.errors import InputError, missing_extra
from dlbricks.model.lowering.targets import provider_of
from dlbricks.process_pool import Crashed, Workers
from dlbricks.suite.writing import target_here
from dlbricks.version import __version__

_Given = TypeVar("_Given")
_Made = TypeVar("_Made")

_ANSWER_S = 20


class DaskWorkers:
    """Workers of a Dask cluster; their machines need the files at the same paths as this machine."""

    def __init__(self, address: str, *, target: str, jobs: int = 1, memory_bytes: int | None = None) -> None:
        """Connect to the scheduler at ``address``; without an address, start a local cluster of ``jobs`` processes.

        All machines must lower networks for ``target`` in the same way. ``memory_bytes`` is the memory limit of an
        item; by default the free memory of its machine.
        """
        if provider_of(target) != "cpu":
            raise InputError(f"--executor dask works for CPU targets, not for {target}: leave it out")
        self._distributed, config = _dask()
        self._target, self._memory = target, memory_bytes
        own = {"n_workers": jobs, "threads_per_worker": 1, "dashboard_address": ":0", "silence_logs": logging.CRITICAL}
        # Ctrl-C must not reach the processes of a local cluster
        before = signal.pthread_sigmask(signal.SIG_BLOCK, () if address else (signal.SIGINT,))
        try:
            if address:  # closing a client may hang if it has no scheduler
                there = self._distributed.comm.addressing.get_address_host_port(address)
                socket.create_connection(there, timeout=_ANSWER_S).close()
            with config.set({"distributed.worker.daemon": False}):
                self._client = self._distributed.Client(address or None, timeout=_ANSWER_S, **({} if address else own))
        except (OSError, ValueError) as error:
            why = " ".join(str(error).split())
            raise InputError(f"no Dask cluster answers at {address or 'this machine'}: {why[:200]}") from error
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        try:
            self._client.wait_for_workers(1, timeout=_ANSWER_S)
        except TimeoutError as error:
            self._client.close()
            raise InputError(f"the Dask cluster at {address or 'this machine'} has no workers") from error

    def __enter__(self) -> Self:
        """Return the pool."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Disconnect from the cluster, and end a local cluster."""
        self._client.close()

    def each(
        self, function: Callable[[_Given], _Made], items: Sequence[_Given], done: Callable[[int], None]
    ) -> list[_Made | Crashed[_Given]]:
        """Call ``function`` with every item on the cluster; raises ``InputError`` if package versions differ."""
        rest = (str(Path.cwd()), _made_with(self._target), self._target, self._memory)
        futures = [self._client.submit(_apart, function, item, *rest, pure=False) for item in items]
        number = {future.key: index for index, future in enumerate(futures)}
        results: dict[int, _Made | Crashed[_Given]] = {}
        lost: list[int] = []
        for future in self._distributed.as_completed(futures):
            try:
                results[number[future.key]] = future.result()
                done(len(results))
            except self._distributed.KilledWorker:
                lost.append(number[future.key])
        for index in lost:  # one by one: a worker that dies loses all its items
            try:
                results[index] = self._client.submit(_apart, function, items[index], *rest, pure=False).result()
            except self._distributed.KilledWorker:
                results[index] = Crashed(items[index], "every worker of the Dask cluster that read it died")
            done(len(results))
        return [results[index] for index in range(len(items))]


def _dask() -> tuple[Any, Any]:
    try:
        import dask
        import distributed
    except ImportError as error:
        raise missing_extra("--executor dask needs distributed", "dask") from error
    return distributed, dask.config


# Processes one item in a forked process. Runs on a machine of the cluster.
def _apart(
    function: Callable[[_Given], _Made], item: _Given, folder: str, made_with: str, target: str, memory: int | None
) -> _Made | Crashed[_Given]:
    here, mine = socket.gethostname(), _made_with(target)
    if mine != made_with:
        raise InputError(f"the Dask worker on {here} has {mine}, this machine {made_with}: install the same versions")
    if multiprocessing.current_process().daemon:
        way = "dask worker --no-nanny, or DASK_DISTRIBUTED__WORKER__DAEMON=False"
        raise InputError(f"the Dask worker on {here} is not permitted to start processes: start it with {way}")
    with Workers(1, memory_bytes=memory) as workers:
        (result,) = workers.each(_call, [(function, item, folder)], lambda _: None)
    return Crashed(item, result.reason) if isinstance(result, Crashed) else result


def _call(call: tuple[Callable[[Any], Any], Any, str]) -> Any:
    function, item, folder = call
    if not Path(folder).is_dir():
        raise InputError(f"the Dask worker on {socket.gethostname()} lacks the folder {folder}: share it")
    os.chdir(folder)
    return function(item)


# Returns the versions that must be equal on all machines, so that the suite is reproducible.
def _made_with(target: str) -> str:
    made_for = target_here(target)
    runtime = ", ".join((made_for.runtime, *made_for.instruction_set)) if made_for.runtime else "any runtime"
    return f"dlbricks {__version__}, onnx {onnx.__version__}, {runtime}"
