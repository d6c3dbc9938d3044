"""A CUPTI without a driver: the real cupti-python with native calls replaced, which hands over records of numpy's."""

import ctypes
import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import pytest

from dlbricks.harness.trace import cupti as tracer
from dlbricks.harness.trace.activities import Kind

DRIVER = 13000


class Driver:
    """The CUDA driver's library, as far as it is asked."""

    contexts: ClassVar[list[str]] = []
    """Calls for the primary context, in order."""

    @staticmethod
    def cuInit(flags: int) -> int:  # noqa: N802
        """Start."""
        return flags

    def __getattr__(self, name: str) -> Callable[..., int]:
        """Succeed, and write down what was asked."""

        def call(*_: Any) -> int:
            self.contexts.append(name)
            return 0

        return call


@dataclass
class FakeCupti:
    """What the driver's side does, and what it was asked."""

    module: Any
    """The real ``cupti.cupti``."""
    refused: dict[int, str] = field(default_factory=dict)
    """Kinds that cannot be enabled, with the name of the error."""
    failing: dict[str, str] = field(default_factory=dict)
    """Functions that fail, with the name of the error."""
    dropped: int = 0
    calls: list[str] = field(default_factory=list)
    enabled: set[int] = field(default_factory=set)
    left_out: set[tuple[str, int, int]] = field(default_factory=set)
    """Library and number of functions whose calls are not to be recorded, with what was said of them."""
    waiting: list[Any] = field(default_factory=list)
    """Records that the next flush hands over."""
    deliver: Callable[[Iterable[Any]], None] | None = None
    _time: Iterable[int] = field(default_factory=lambda: itertools.count(1_000_000, 1_000))

    def error(self, name: str) -> Exception:
        """Give CUPTI's error of a name."""
        made: Exception = self.module.cuptiError(self.module.Result[name])
        return made

    def _called(self, name: str) -> None:
        self.calls.append(name)
        if name in self.failing:
            raise self.error(self.failing[name])

    def subscribe(self, callback: Any, userdata: Any) -> int:
        """Take CUPTI."""
        assert callable(callback)
        assert userdata is None
        self._called("subscribe")
        return 17

    def unsubscribe(self, subscriber: int) -> None:
        """Give it back."""
        assert subscriber == 17
        self._called("unsubscribe")

    def set_thread_id_type(self, _: Any) -> None:
        """Choose the numbers of threads."""
        self._called("set_thread_id_type")

    def activity_register_callbacks(self, room: Callable[[], tuple[int, int]], completed: Any) -> None:
        """Take what is to receive records."""
        self._called("activity_register_callbacks")
        assert room()[0] > 0
        self.deliver = completed

    def activity_enable(self, kind: int) -> None:
        """Begin with a kind of records."""
        self._called("activity_enable")
        if int(kind) in self.refused:
            raise self.error(self.refused[int(kind)])
        self.enabled.add(int(kind))

    def activity_enable_runtime_api(self, cbid: int, enable: int) -> None:
        """Leave a function of the runtime out."""
        self._called("activity_enable_runtime_api")
        self.left_out.add(("runtime", cbid, enable))

    def activity_enable_driver_api(self, cbid: int, enable: int) -> None:
        """Leave a function of the driver out."""
        self._called("activity_enable_driver_api")
        self.left_out.add(("driver", cbid, enable))

    def activity_disable(self, kind: int) -> None:
        """End with a kind of records, which has to have begun."""
        self._called("activity_disable")
        self.enabled.remove(int(kind))

    def activity_flush_all(self, _: int) -> None:
        """Hand over all records."""
        self._called("activity_flush_all")
        assert self.deliver is not None
        waiting, self.waiting = self.waiting, []
        self.deliver(waiting)

    def activity_get_num_dropped_records(self, context: int, stream: int, place: int) -> None:
        """Say how many there was no room for."""
        assert (context, stream) == (0, 0)
        self._called("activity_get_num_dropped_records")
        ctypes.c_size_t.from_address(place).value = self.dropped

    def get_timestamp(self) -> int:
        """Read the clock."""
        self._called("get_timestamp")
        return next(iter(self._time))


FUNCTIONS = tuple(name for name in vars(FakeCupti) if not name.startswith("_") and hasattr(FakeCupti, name))


def kernel(start: int, end: int, name: str = "gemm") -> Any:
    """Make a record of a kernel, byte by byte."""
    from tests.harness.cupti_contract import classes, dtype_of

    made = classes(Kind.CONCURRENT_KERNEL)[-1]
    data = np.zeros(1, dtype=dtype_of(made))
    data["kind"], data["start"], data["end"], data["correlation_id"] = int(Kind.CONCURRENT_KERNEL), start, end, 5
    record = made.from_data(data)
    record.name = name
    return record


def api_call(kind: Kind, cbid: int, start: int, end: int) -> Any:
    """Make a record of a call of the runtime or the driver."""
    from tests.harness.cupti_contract import classes, dtype_of

    made = classes(kind)[-1]
    data = np.zeros(1, dtype=dtype_of(made))
    data["kind"], data["start"], data["end"], data["cbid"] = int(kind), start, end, cbid
    return made.from_data(data)


@pytest.fixture
def fake_cupti(monkeypatch: pytest.MonkeyPatch) -> FakeCupti:
    """Give a CUPTI that works, in a process that has not used it yet."""
    module = pytest.importorskip("cupti.cupti", reason="cupti-python is not installed")
    fake = FakeCupti(module)
    for name in FUNCTIONS:
        if hasattr(module, name):
            monkeypatch.setattr(module, name, getattr(fake, name))
    monkeypatch.setattr(tracer, "load_library", lambda *_: Driver())
    monkeypatch.setattr(tracer, "driver_version", lambda: DRIVER)
    monkeypatch.setattr(tracer, "_check_apart", tracer._check_start)  # another process would not have the fake
    monkeypatch.setattr(tracer, "_RECEIVER", tracer._Receiver())
    return fake
