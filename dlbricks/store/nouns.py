"""The nouns of results: Measurement, SystemConfiguration. The submission document itself is JSON (``docs/schemas``)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """What one system answered for one sequence."""

    fingerprint: str
    latency_ns: int
    """Median over visits of the visit medians, the first sample of a visit with several left out; call overhead
    included."""
    low_ns: int
    """Lower end of the interval of ``latency_ns`` (95 %)."""
    high_ns: int
    """Upper end."""
    samples: int
    """Timed calls."""
    verdict: str
    """``stable``, ``noisy``, ``drifting`` or ``too short``."""
    wall_ns: int
    """Whole cost of this benchmark in the run: load, warm-up, all calls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemConfiguration:
    """A system as far as latencies may be mixed: one name, one runtime, one provider, one thread count."""

    system: str
    runtime: str
    """As in ``onnxruntime 1.31.1``."""
    provider: str
    """As in ``cpu``."""
    threads: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemResults:
    """Everything a store knows of one configuration."""

    configuration: SystemConfiguration
    call_overhead_ns: int
    """Latency of a call of an empty graph."""
    measurements: dict[str, Measurement]
    """By fingerprint; not to be changed."""
