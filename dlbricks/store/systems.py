"""Selection of one configuration of a system by provider, threads, runtime and instruction set."""

import difflib
from collections.abc import Sequence

from dlbricks.errors import InputError
from dlbricks.settings import SystemQuery
from dlbricks.store.types import SystemConfiguration

DEVICE_WORD = "sm_"
"""Prefix of compute capabilities of GPUs among the names of an instruction set."""


def differences(wanted: SystemQuery, configuration: SystemConfiguration) -> tuple[str, ...]:
    """Describe the differences of a configuration from the requested one, most important first."""
    runtimes = (configuration.runtime, *configuration.runtime.split())
    texts = []
    if wanted.provider not in (None, configuration.provider):
        texts.append(f"provider {configuration.provider} instead of {wanted.provider}")
    if wanted.instruction_set is not None and wanted.instruction_set != _comparable(wanted, configuration):
        texts.append(f"an instruction set {_unlike(_comparable(wanted, configuration), wanted.instruction_set)}")
    texts += [
        f"runtime {configuration.runtime} instead of {name}"
        for name in dict.fromkeys((wanted.runtime, wanted.lowered_by))
        if name not in (None, *runtimes)
    ]
    if wanted.threads not in (None, configuration.threads):
        texts.append(f"threads {configuration.threads} instead of {wanted.threads}")
    return tuple(texts)


def _comparable(wanted: SystemQuery, configuration: SystemConfiguration) -> tuple[str, ...]:
    """Return the part of a configuration's instruction set to compare: that of the GPU, or that of the CPU."""
    on_device = any(word.startswith(DEVICE_WORD) for word in wanted.instruction_set or ())
    return tuple(word for word in configuration.instruction_set if word.startswith(DEVICE_WORD) == on_device)


def _distance(wanted: SystemQuery, configuration: SystemConfiguration) -> tuple[bool, bool, bool, int, int]:
    """Return the sort key of mismatching configurations, nearest first; it need not be unique."""
    return (
        wanted.runtime not in (None, configuration.runtime, *configuration.runtime.split()),
        wanted.provider not in (None, configuration.provider),
        wanted.instruction_set is not None and wanted.instruction_set != _comparable(wanted, configuration),
        len(differences(wanted, configuration)),
        abs(configuration.threads - (wanted.threads or configuration.threads)),
    )


def choose(
    known: Sequence[SystemConfiguration], wanted: SystemQuery, *, place: str, allow_mismatch: bool = False
) -> tuple[SystemConfiguration, tuple[str, ...]]:
    """Choose the configuration that matches a filter.

    Args:
        known: all configurations.
        wanted: the filter.
        place: of the store, for messages.
        allow_mismatch: whether to choose the nearest configuration of the system if none matches.

    Returns:
        The configuration, and its differences from the filter in words; empty if it matches.

    Raises:
        InputError: the system is unknown, or not exactly one configuration matches; the message lists those there are.
    """
    same_system = [configuration for configuration in known if configuration.system == wanted.system]
    if not same_system:
        raise InputError(f"store {place} holds no system {wanted.system}; {_close_names(known, wanted.system)}")
    matching = [configuration for configuration in same_system if not differences(wanted, configuration)]
    usual = [configuration for configuration in matching if not configuration.options]
    if len(matching) == 1 or len(usual) == 1:
        return (usual or matching)[0], ()
    if matching:
        listed = f"{len(matching)} configurations that match: {_listed(matching)}"
        raise InputError(f"system {wanted.system} has {listed}; {_way(matching)}")
    nearest = min(same_system, key=lambda each: (*_distance(wanted, each), each.threads, each.runtime, repr(each)))
    if allow_mismatch:
        return nearest, differences(wanted, nearest)
    raise InputError(
        f"system {wanted.system} has no such configuration; it has: {_listed(same_system)}; the nearest has "
        f"{' and '.join(differences(wanted, nearest))} (estimate --allow-mismatch takes it)"
    )


def _listed(configurations: Sequence[SystemConfiguration]) -> str:
    return "; ".join(
        sorted(
            {
                ", ".join((each.runtime, each.provider, f"threads {each.threads}", *each.options))
                for each in configurations
            }
        )
    )


def _way(matching: Sequence[SystemConfiguration]) -> str:
    if len({(each.runtime, each.provider, each.threads) for each in matching}) > 1:
        return "choose by provider, threads or runtime"
    first, second = (each.instruction_set for each in matching[:2])
    if first == second:
        return "they differ in options of session or provider: give such runs names of their own"
    return f"one with an instruction set {_unlike(first, second)}: these are several machines, name each differently"


def _unlike(found: Sequence[str], asked: Sequence[str]) -> str:
    """Describe the differences of an instruction set from another one."""
    lacking, additional = sorted(set(asked) - set(found)), sorted(set(found) - set(asked))
    parts = [f"{word} {' '.join(names)}" for word, names in (("without", lacking), ("with", additional)) if names]
    return " and ".join(parts) or "in another order"


def _close_names(known: Sequence[SystemConfiguration], system: str) -> str:
    names = sorted({configuration.system for configuration in known})
    if not names:
        return "it is empty: submit a result first"
    close = difflib.get_close_matches(system, names, n=3, cutoff=0.5)
    if close:
        return f"close to it: {', '.join(close)}"
    return f"it knows {', '.join(names[:5])}" + (f" and {len(names) - 5} more" if len(names) > 5 else "")
