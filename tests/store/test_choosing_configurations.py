"""Latencies of another configuration than the one asked for are never given silently."""

import pytest

from dlbricks.errors import InputError
from dlbricks.settings import SystemQuery
from dlbricks.store.records import choose
from dlbricks.store.types import SystemConfiguration


def configuration(**fields: object) -> SystemConfiguration:
    """Give a configuration of the system ``lab``."""
    usual: dict[str, object] = {
        "system": "lab",
        "runtime": "onnxruntime 1.31.1",
        "provider": "cpu",
        "threads": 1,
        "instruction_set": ("x86_64", "avx2"),
    }
    return SystemConfiguration(**usual | fields)  # type: ignore[arg-type]


def asked(**fields: object) -> SystemQuery:
    """Ask for a configuration of the system ``lab``."""
    return SystemQuery(system="lab", **fields)  # type: ignore[arg-type]


_MISMATCHES: list[tuple[dict[str, object], str]] = [
    ({"threads": 8}, "threads 1 instead of 8"),
    ({"provider": "cuda"}, "provider cpu instead of cuda"),
    ({"runtime": "1.20.0"}, "runtime onnxruntime 1.31.1 instead of 1.20.0"),
    ({"lowered_by": "1.30.0"}, "runtime onnxruntime 1.31.1 instead of 1.30.0"),
    ({"instruction_set": ("x86_64", "avx2", "avx512f")}, "an instruction set without avx512f"),
    ({"instruction_set": ("aarch64",)}, "an instruction set without aarch64 and with avx2 x86_64"),
]


@pytest.mark.parametrize(("fields", "said"), _MISMATCHES)
def test_another_configuration_is_refused(fields: dict[str, object], said: str) -> None:
    """Other threads, provider, runtime or instruction set: one line says what there is and in what it differs."""
    with pytest.raises(InputError) as raised:
        choose([configuration()], asked(**fields), place="here")
    message = str(raised.value)
    begin = "system lab has no matching configuration: the nearest (onnxruntime 1.31.1, cpu, threads 1) differs"
    assert message.startswith(begin)
    assert message.index(said) < message.index("measured are onnxruntime 1.31.1, cpu, threads 1")
    assert "'dlbricks estimate' takes it with --allow-mismatch" in message, "other verbs have no such option"
    assert "\n" not in message


@pytest.mark.parametrize(("fields", "said"), _MISMATCHES)
def test_a_mismatch_that_is_allowed_is_told(fields: dict[str, object], said: str) -> None:
    """Where the nearest will do it comes with the words for what it is not."""
    assert choose([configuration()], asked(**fields), place="here", allow_mismatch=True) == (configuration(), (said,))


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"threads": 1, "provider": "cpu", "runtime": "1.31.1", "lowered_by": "1.31.1"},
        {"runtime": "onnxruntime"},
        {"runtime": "onnxruntime 1.31.1", "instruction_set": ("x86_64", "avx2")},
        {"instruction_set": ("x86_64", "avx2", "avx_vnni")},
    ],
)
def test_what_was_asked_for_is_no_mismatch(fields: dict[str, object]) -> None:
    """The one that is asked for is given, whether a mismatch is allowed or not; what is left open never counts."""
    for allowed in (True, False):
        assert choose([configuration()], asked(**fields), place="here", allow_mismatch=allowed) == (configuration(), ())


def test_the_provider_comes_first() -> None:
    """Of several that are not as asked for, the same provider goes before all else, then the same instruction set."""
    other = configuration(provider="cuda", threads=8)
    lesser = configuration(threads=2, instruction_set=("x86_64", "avx512f"))
    nearer = configuration(threads=1)
    wanted = asked(provider="cpu", threads=8, instruction_set=("x86_64", "avx2"))
    assert choose([other, lesser, nearer], wanted, place="here", allow_mismatch=True)[0] == nearer
    assert choose([other, lesser], wanted, place="here", allow_mismatch=True)[0] == lesser
    found, mismatch = choose([other], wanted, place="here", allow_mismatch=True)
    assert (found, mismatch) == (other, ("provider cuda instead of cpu",))


def test_the_nearest_number_of_threads() -> None:
    """Of several that differ in threads only, the nearest number is taken, in whatever order they come."""
    known = [configuration(threads=threads) for threads in (1, 4, 16)]
    for order in (known, known[::-1]):
        assert choose(order, asked(threads=6), place="here", allow_mismatch=True)[0].threads == 4


def test_one_that_fits_goes_before_nearer_ones() -> None:
    """To allow a mismatch changes nothing where one is as asked for; several that are stay ambiguous."""
    known = [configuration(threads=threads) for threads in (1, 4)]
    assert choose(known, asked(threads=4), place="here", allow_mismatch=True) == (known[1], ())
    with pytest.raises(InputError, match=r"2 matching configurations \(.*\): choose one by provider"):
        choose(known, asked(), place="here", allow_mismatch=True)


def test_two_machines_of_one_name() -> None:
    """Configurations that differ in nothing that can be asked for are told to be two machines."""
    known = [configuration(), configuration(instruction_set=("aarch64", "asimd"))]
    with pytest.raises(InputError, match="these are several machines: name each differently"):
        choose(known, asked(), place="here")
    assert choose(known, asked(instruction_set=("aarch64", "asimd")), place="here") == (known[1], ())
