"""Holds what the harness uses of cupti-python against the release that Python finds first; prints what differs.

Run as a program, so that releases of several folders can be looked at; needs neither a driver nor a GPU.
"""

import importlib
import importlib.util
import inspect
import re
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from operator import attrgetter
from typing import Any

from cupti import cupti

from dlbricks.harness.trace import activities
from dlbricks.harness.trace import cupti as tracer
from dlbricks.harness.trace.activities import FIELDS, Kind
from dlbricks.harness.trace.cupti import _SYSTEM_THREADS

CLASSES = {
    Kind.KERNEL: "ActivityKernel",
    Kind.CONCURRENT_KERNEL: "ActivityKernel",
    Kind.MEMCPY: "ActivityMemcpy",
    Kind.MEMCPY2: "ActivityMemcpyPtoP",
    Kind.MEMSET: "ActivityMemset",
    Kind.RUNTIME: "ActivityAPI",
    Kind.DRIVER: "ActivityAPI",
    Kind.SYNCHRONIZATION: "ActivitySynchronization",
}
"""How the name of the class of a kind begins; a number of the release follows."""
NOT_IN_ALL = {(Kind.MEMCPY, "src_device_id"), (Kind.MEMCPY, "dst_device_id")}
"""Fields of copies between devices, which others do not have."""
ENUMERATIONS: Mapping[str, Mapping[int, str]] = {
    "ActivityMemcpyKind": {number: short for number, (short, _) in activities.DIRECTIONS.items()},
    "ActivityMemoryKind": activities.MEMORIES,
    "ActivitySynchronizationType": activities.WAITS,
    "ActivityThreadIdType": {_SYSTEM_THREADS: "system"},
}
"""Numbers that are written down in the harness, and what they mean."""
SAMPLING = {
    "pm_sampling": {
        "Collector.enable": (),
        "Collector.configure": ("metrics", "hardware_buffer_size", "sampling_interval", "trigger_mode"),
        "Collector.start": (),
        "Collector.stop": (),
        "Collector.decode": ("max_samples",),
        "Collector.disable": (),
        "CounterData.__iter__": (),
    },
    "profiler_host": {
        "ProfilerHost.initialize": (),
        "ProfilerHost.get_base_metrics": (),
        "ProfilerHost.create_config_image": ("metrics",),
        "ProfilerHost.deinitialize": (),
        "get_num_of_passes": (),
    },
}
"""Functions of the modules that read counters, with the arguments that are named."""
CHOSEN = {
    "cupti.ProfilerType": ("PM_SAMPLING",),
    "cupti.MetricType": ("COUNTER",),
    "pm_sampling.TriggerMode": ("GPU_TIME_INTERVAL", "GPU_SYSCLK_INTERVAL"),
}
"""Members of enumerations that reading counters chooses, by their names."""
CHIP_NAME = (("DeviceGetChipNameParams", "Device_GetChipName_Params"), ("struct_size", "device_index", "p_chip_name"))
"""Names that the class which asks for a chip's name has had, and its fields in use."""


def classes(kind: Kind) -> list[Any]:
    """Give every class of this release for a kind."""
    return [getattr(cupti, name) for name in dir(cupti) if re.fullmatch(rf"{CLASSES[kind]}\d*", name)]


def dtype_of(made: type) -> Any:
    """Give the numpy layout of a class of records."""
    wanted = f"{made.__name__.lower()}dtype"
    return next(getattr(cupti, name) for name in dir(cupti) if name.replace("_", "") == wanted)


def differences() -> Iterator[str]:
    """Say what is missing or has another meaning."""
    yield from (f"cupti.cupti.{name} is missing" for name in tracer.NAMES if not hasattr(cupti, name))
    statuses = {member.name for member in cupti.Result}
    yield from (f"Result.{name} is missing" for name in tracer._STATUSES if name not in statuses)
    for kind in Kind:
        if cupti.ActivityKind[kind.name] != kind:
            yield f"ActivityKind.{kind.name} is {int(cupti.ActivityKind[kind.name])}"
        found = classes(kind)
        if not found:
            yield f"there is no class {CLASSES[kind]}"
        layouts = [names(dtype_of(made)) for made in found]
        for field in FIELDS[kind]:
            plain = field.replace("_.", ".")
            there = any(plain in layout or f"{plain}_" in layout or field in layout for layout in layouts)
            if not there and (kind, field) not in NOT_IN_ALL:
                yield f"{kind.name} has no field {field}"
    for name, expected in ENUMERATIONS.items():
        known = {int(member): member.name.removeprefix("CUPTI_") for member in getattr(cupti, name)}
        for number, text in expected.items():
            if known.get(number) != text.upper().replace(" ", "_"):
                yield f"{name}({number}) is {known.get(number)}"
    for library, number in (("runtime", 211), ("driver", 307)):
        if (name := activities.call_name(library, number)) not in {"cudaLaunchKernel", "cuLaunchKernel"}:
            yield f"call {number} is {name}"
    yield from sampling()


def names(layout: Any, before: str = "") -> set[str]:
    """Give the paths of all fields of a layout, those of structures in it as ``a.b``."""
    found = set[str]()
    for name in layout.names or ():
        found.add(f"{before}{name}")
        found |= names(layout[name], f"{before}{name}.") | names(layout[name], f"{before}{name.removesuffix('_')}.")
    return found


def sampling() -> Iterator[str]:
    """Say what is missing of the modules that read counters, from the release on that has them."""
    release = tuple(int(part) for part in version("cupti-python").split("."))
    for module, functions in SAMPLING.items():
        there = importlib.util.find_spec(f"cupti.{module}") is not None
        if there != (release >= (13, 3)):
            yield f"cupti.{module} is {'there' if there else 'missing'}"
        if not there:
            continue
        yield from choices(module)
        loaded = importlib.import_module(f"cupti.{module}")
        for name, arguments in functions.items():
            known = inspect.signature(attrgetter(name)(loaded)).parameters
            yield from (f"{module}.{name} has no argument {one}" for one in arguments if one not in known)


def choices(module: str) -> Iterator[str]:
    """Say which enumerations and structures are missing that reading counters with a module needs."""
    for path, members in CHOSEN.items():
        holder, _, name = path.partition(".")
        known = getattr(importlib.import_module(f"cupti.{holder}"), name, None)
        there = {one.name for one in known or ()}
        yield from (f"{path} has no {one}" for one in members if holder in {"cupti", module} and one not in there)
    found = next((getattr(cupti, name) for name in CHIP_NAME[0] if hasattr(cupti, name)), None)
    yield from (f"{CHIP_NAME[0][0]} has no {field}" for field in CHIP_NAME[1] if not hasattr(found, field))
    for name in ("DEVICE_GET_CHIP_NAME_PARAMS_STRUCT_SIZE", "device_get_chip_name"):
        if not hasattr(cupti, name):
            yield f"cupti.cupti.{name} is missing"


if __name__ == "__main__":
    print(version("cupti-python"), *differences(), sep="\n")
