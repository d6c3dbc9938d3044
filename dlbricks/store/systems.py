"""Choosing one configuration by the name of its system and what else the user said."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from dlbricks.errors import InputError
from dlbricks.store.nouns import SystemConfiguration


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigurationFilter:
    """What a user says of the configuration meant; None leaves a part open."""

    system: str
    provider: str | None = None
    threads: int | None = None
    runtime: str | None = None
    """The whole, as in ``onnxruntime 1.31.1``, or its name or version alone."""

    def admits(self, configuration: SystemConfiguration) -> bool:
        """Whether the configuration is one of those meant."""
        return (
            configuration.system == self.system
            and self.provider in (None, configuration.provider)
            and self.threads in (None, configuration.threads)
            and self.runtime in (None, configuration.runtime, *configuration.runtime.split())
        )


def choose(known: Sequence[SystemConfiguration], wanted: ConfigurationFilter, *, place: str) -> SystemConfiguration:
    """Give the one configuration that is meant.

    Raises:
        InputError: the system is unknown, nothing matches, or more than one does; the message lists what there is.
    """
    matching = [configuration for configuration in known if wanted.admits(configuration)]
    if len(matching) == 1:
        return matching[0]
    if matching:
        raise InputError(
            f"system {wanted.system} has {len(matching)} configurations that match: {_listed(matching)}; "
            "choose by provider, threads or runtime"
        )
    same_system = [configuration for configuration in known if configuration.system == wanted.system]
    if same_system:
        raise InputError(f"system {wanted.system} has no such configuration; it has: {_listed(same_system)}")
    raise InputError(f"store {place} holds no system {wanted.system}; {_close_names(known, wanted.system)}")


def _listed(configurations: Sequence[SystemConfiguration]) -> str:
    return "; ".join(sorted(f"{each.runtime}, {each.provider}, threads {each.threads}" for each in configurations))


def _close_names(known: Sequence[SystemConfiguration], system: str) -> str:
    names = sorted({configuration.system for configuration in known})
    if not names:
        return "it is empty: submit a result first"
    close = difflib.get_close_matches(system, names, n=3, cutoff=0.5)
    if close:
        return f"close to it: {', '.join(close)}"
    return f"it knows {', '.join(names[:5])}" + (f" and {len(names) - 5} more" if len(names) > 5 else "")
