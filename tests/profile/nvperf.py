"""NVIDIA's own tables of hardware metrics, read from libnvperf_host: needs neither a driver nor a GPU.

Structures: ``nvperf_host.h`` and ``nvperf_cuda_host.h`` of CUDA 13.
"""

import ctypes
import importlib.metadata
from collections.abc import Sequence
from functools import cache
from typing import Any

SAMPLED = 2
"""Activity of sampling: ``NVPA_ACTIVITY_KIND_REALTIME_SAMPLED``."""
_SIZE, _POINTER, _TEXT = ctypes.c_size_t, ctypes.c_void_p, ctypes.c_char_p


class _Request(ctypes.Structure):
    _fields_ = (("index", _SIZE), ("type", ctypes.c_uint8), ("rollup", ctypes.c_uint8), ("sub", ctypes.c_uint16))


_REQUEST_SIZE = 12


class _Raw(ctypes.Structure):
    _fields_ = (
        ("size", _SIZE),
        ("private", _POINTER),
        ("name", _TEXT),
        ("isolated", ctypes.c_uint8),
        ("instances", ctypes.c_uint8),
    )


_RAW_SIZE = 26


@cache
def library() -> Any:
    """Load the library and start it; None where it is not installed."""
    try:
        files = importlib.metadata.files("nvidia-cuda-cupti") or []
    except importlib.metadata.PackageNotFoundError:
        return None
    path = next((str(file.locate()) for file in files if file.name == "libnvperf_host.so"), None)
    if path is None:
        return None
    loaded = ctypes.CDLL(path)
    _call(loaded.NVPW_InitializeHost)
    return loaded


def _call(function: Any, *fields: tuple[Any, Any]) -> tuple[int, list[Any]]:
    """Call a function of the library with a structure of fields; return its result and the fields."""

    class Parameters(ctypes.Structure):
        _fields_ = (
            ("size", _SIZE),
            ("private", _POINTER),
            *((f"f{index}", kind) for index, (kind, _) in enumerate(fields)),
        )

    made = Parameters()
    last = getattr(Parameters, f"f{len(fields) - 1}") if fields else Parameters.private
    made.size = last.offset + last.size
    for index, (_, value) in enumerate(fields):
        setattr(made, f"f{index}", value)
    answer = int(function(ctypes.byref(made)))
    return answer, [getattr(made, f"f{index}") for index in range(len(fields))]


class Chip:
    """The metrics of a chip."""

    def __init__(self, name: str) -> None:
        """Look a chip up.

        Raises:
            LookupError: this release does not know it.
        """
        self.name = name.encode()
        loaded = library()
        answer, fields = _call(
            loaded.NVPW_CUDA_MetricsEvaluator_CalculateScratchBufferSize,
            *((_TEXT, self.name), (_POINTER, None), (_SIZE, 0)),
        )
        if answer:
            raise LookupError(name)
        self._scratch = (ctypes.c_uint8 * fields[2])()
        answer, fields = _call(
            loaded.NVPW_CUDA_MetricsEvaluator_Initialize,
            *((_POINTER, ctypes.addressof(self._scratch)), (_SIZE, fields[2]), (_TEXT, self.name), (_POINTER, None)),
            *((_POINTER, None), (_SIZE, 0), (_POINTER, None)),
        )
        if answer:
            raise LookupError(name)
        self._evaluator = fields[6]
        self._needs: dict[str, tuple[bytes, ...] | None] = {}

    def knows(self, metric: str) -> bool:
        """Say whether the chip has a metric."""
        return self.needs(metric) is not None

    def needs(self, metric: str) -> tuple[bytes, ...] | None:
        """Return the raw counters of a metric; None if the metric is unknown."""
        if metric not in self._needs:
            self._needs[metric] = self._asked(metric)
        return self._needs[metric]

    def _asked(self, metric: str) -> tuple[bytes, ...] | None:
        request = _Request()
        at = ctypes.addressof(request)
        answer, _ = _call(
            library().NVPW_MetricsEvaluator_ConvertMetricNameToMetricEvalRequest,
            *((_POINTER, self._evaluator), (_TEXT, metric.encode()), (_POINTER, at), (_SIZE, _REQUEST_SIZE)),
        )
        if answer:
            return None
        ask = library().NVPW_MetricsEvaluator_GetMetricRawDependencies
        fixed = (
            *((_POINTER, self._evaluator), (_POINTER, at), (_SIZE, 1), (_SIZE, _REQUEST_SIZE)),
            (_SIZE, ctypes.sizeof(_Request)),
        )
        answer, fields = _call(ask, *fixed, (_POINTER, None), (_SIZE, 0), (_POINTER, None), (_SIZE, 0))
        assert answer == 0
        names, optional = (_TEXT * fields[6])(), (_TEXT * fields[8])()
        answer, _ = _call(
            ask,
            *fixed,
            *((_POINTER, ctypes.addressof(names)), (_SIZE, fields[6])),
            *((_POINTER, ctypes.addressof(optional)), (_SIZE, fields[8])),
        )
        assert answer == 0
        return tuple(name for name in names if name is not None)

    def passes(self, metrics: Sequence[str]) -> int:
        """Give how many passes of sampling metrics need together."""
        raw = list(dict.fromkeys(name for metric in metrics for name in self.needs(metric) or ()))
        loaded = library()
        answer, fields = _call(
            loaded.NVPW_CUDA_RawMetricsConfig_Create_V2,
            *((ctypes.c_int, SAMPLED), (_TEXT, self.name), (_POINTER, None), (_POINTER, None)),
        )
        assert answer == 0
        config = fields[3]
        requests = (_Raw * len(raw))()
        for request, name in zip(requests, raw, strict=True):
            request.size, request.name = _RAW_SIZE, name
        _call(loaded.NVPW_RawMetricsConfig_BeginPassGroup, (_POINTER, config), (_SIZE, 0))
        answer, _ = _call(
            loaded.NVPW_RawMetricsConfig_AddMetrics,
            *((_POINTER, config), (_POINTER, ctypes.addressof(requests)), (_SIZE, len(raw))),
        )
        assert answer == 0
        _call(loaded.NVPW_RawMetricsConfig_EndPassGroup, (_POINTER, config))
        answer, fields = _call(loaded.NVPW_RawMetricsConfig_GetNumPasses_V2, (_POINTER, config), (_SIZE, 0))
        assert answer == 0
        _call(loaded.NVPW_RawMetricsConfig_Destroy, (_POINTER, config))
        return int(fields[1])
