"""The nouns of construction: CompositionStep, Composition, Estimate and its rows."""

from dataclasses import dataclass

from dlbricks.store.nouns import SystemConfiguration


@dataclass(frozen=True, slots=True, kw_only=True)
class CompositionStep:
    """One sequence of a model, in dependency order."""

    fingerprint: str
    name: str
    """Readable, from operators."""
    layers: tuple[str, ...]
    """Names of the layers of the model that it covers."""
    depends_on: tuple[int, ...]
    """Indices of earlier steps."""
    skip: str | None = None
    """Why no benchmark exists of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Composition:
    """Which sequences make up a model, and in what graph; it stays with the model's owner."""

    model: str
    target: str
    granularity: str
    splitter: str
    layers: int
    """Layers of the split model."""
    steps: tuple[CompositionStep, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimateRow:
    """All steps of a model that are the same sequence."""

    fingerprint: str
    name: str
    count: int
    each_ns: int
    """Latency of one, call overhead taken out; 0 when missing."""
    total_ns: int
    """``count`` times ``each_ns``."""
    share: float
    """Of the sequential total, 0 to 1."""
    tier: str
    """``measured`` or ``missing``."""
    verdict: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """The latency of a model on a system that may never have seen it."""

    model: str
    configuration: SystemConfiguration
    rule: str
    """``sequential``, ``parallel`` or ``lanes:k``."""
    total_ns: int
    low_ns: int
    high_ns: int
    layers: int
    covered_layers: int
    """Layers in measured sequences."""
    call_overhead_ns: int
    rows: tuple[EstimateRow, ...]
    """By falling total."""
    missing: tuple[str, ...]
    """Fingerprints without a result."""

    @property
    def coverage(self) -> float:
        """Share of the layers that lie in measured sequences, 0 to 1."""
        return self.covered_layers / self.layers if self.layers else 1.0
