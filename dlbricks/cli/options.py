"""Options that several verbs share, as decorators; and the small parsers behind them. Imports nothing heavy."""

import functools
import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from dlbricks.api import BUNDLE, PORTABLE, SystemQuery
from dlbricks.errors import InputError
from dlbricks.harness.options import Option, RunOptions, read_size_bytes, run_options
from dlbricks.units import plain

if TYPE_CHECKING:
    from dlbricks.profile.types import Profile

Command = TypeVar("Command", bound=Callable[..., Any])

TARGETS = (PORTABLE, "onnxruntime-cpu", "onnxruntime-cuda", "openvino")
BLOCK = "block"
SPLITTERS = ("chain", BLOCK, "paper")
PAST, SEQUENCE = "past", "sequence"
"""Tokens in a decoder's cache, which may be none, and tokens that are new (``model.read.decoders``)."""
MOST_POINTS = 64
"""Combinations of extents of one suite."""
AUTO = "auto"
"""Granularity that is chosen for the networks at hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitChoice:
    """How networks are cut, as the user said it."""

    granularity: str
    """A whole number, ``inf``, or ``AUTO`` where a command chooses. This, ``target`` and ``splitter`` are empty where
    those of the measured suite are meant (``networks.as_measured``)."""
    target: str
    splitter: str
    dims: Mapping[str, int]
    """Extents of symbolic dimensions by name."""
    points: tuple[Mapping[str, int], ...] = ()
    """Each combination of them where the user gave several extents; ``dims`` is the first."""
    question: tuple[str, ...] = ()
    """Options of the question to a decoder that ``points`` were chosen for, as in ``--prompt 512 --generate 64``."""
    allow_values: tuple[str, ...] = ()
    batch: int | None = None
    """Inputs per call; None for what files and ``dims`` say."""
    """Layers whose values may all leave, by name."""
    memory_bytes: int | None = None
    """The most that the process which reads them may allocate; None for what the machine has left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowances:
    """What an estimate may do without, as the user said it."""

    missing: bool
    """Results of some sequences."""
    mismatch: bool
    """Results of the configuration that is asked for."""
    interpolate: bool
    """Results of sequences that can be guessed from those of others."""


def _announced(_context: click.Context, _argument: click.Parameter, texts: tuple[str, ...]) -> tuple[str, ...]:
    """Say on stderr which architectures are exported first, which takes a while."""
    for text in texts:
        if text.startswith("hf:"):
            from dlbricks.model.export.huggingface import place_of

            if not place_of(text).is_file():
                click.echo(
                    f"{text}: exporting the architecture, without weights; it is kept for the next time", err=True
                )
    return texts


def models_argument(command: Command, *, required: bool = True) -> Command:
    """``MODEL...``: files, folders or globs of ONNX networks, ``hf:FOLDER`` for an architecture of Hugging Face."""
    return click.argument("models", nargs=-1, required=required, metavar="MODEL...", callback=_announced)(command)


def split_options(command: Command) -> Command:
    """Give the command a ``choice: SplitChoice``."""
    return _split_options(command)


def measured_split_options(command: Command) -> Command:
    """Give the command a ``choice: SplitChoice`` that is empty where the user left something open."""
    return _split_options(command, measured=True)


def auto_split_options(command: Command) -> Command:
    """Give the command a ``choice: SplitChoice`` whose granularity may be ``AUTO``."""
    return _split_options(command, auto=True)


def grid_split_options(command: Command, *, measured: bool) -> Command:
    """Give the command a ``choice: SplitChoice`` with points: of ``generate``, or of what was measured so."""
    return _split_options(command, auto=not measured, measured=measured, grid=True)


def _split_options(command: Command, *, auto: bool = False, measured: bool = False, grid: bool = False) -> Command:
    open_ = "that of the measured suite"

    @functools.wraps(command)
    def bundled(
        *,
        granularity: str,
        target: str | None,
        splitter: str | None,
        dims: Sequence[str],
        allow_values: tuple[str, ...],
        batch: int | None,
        memory_bytes: int | None = None,
        **others: Any,
    ) -> Any:
        if granularity == AUTO and not auto:
            raise InputError(
                "-H auto chooses for what is measured anew, in 'generate' and 'validate': here give a number or inf, "
                "that of the suite where one was measured"
            )
        points = parse_grid(dims) if grid else (parse_dims(dims),)
        choice = SplitChoice(
            granularity=granularity,
            target=target or "",
            splitter=splitter or "",
            dims=points[0],
            points=points if len(points) > 1 else (),
            allow_values=allow_values,
            batch=batch,
            memory_bytes=memory_bytes,
        )
        return command(choice=choice, **others)

    return with_options(
        cast("Command", bundled),
        click.option(
            "-H",
            "--granularity",
            default="" if measured else "1",
            show_default=open_ if measured else True,
            metavar="H",
            help="Most layers in a sequence: a whole number, inf, or auto (see 'granularity')."
            if auto
            else "Most layers in a sequence: a whole number, or inf.",
        ),
        functools.partial(_target_option, default="" if measured else PORTABLE, shown=open_ if measured else True),
        click.option(
            "--splitter",
            type=click.Choice(SPLITTERS),
            default=None if measured else BLOCK,
            show_default=open_ if measured else True,
            help="Where to cut: block where the fewest bytes cross, chain along chains, paper as published.",
        ),
        dims_option,
        batch_option,
        click.option(
            "--allow-values",
            multiple=True,
            metavar="LAYER",
            help="Let a layer keep its trained values (thresholds, labels, tables); repeat for each.",
        ),
        *(() if auto else (memory_option,)),
    )


def memory_option(command: Command) -> Command:
    """``--memory-limit``, for what has a ``choice: SplitChoice`` and measures nothing."""
    return click.option(
        "--memory-limit",
        "memory_bytes",
        callback=_read_memory,
        metavar="SIZE",
        help="Most memory to read a network, as in 8g; by default what the machine has left.",
    )(command)


def _read_memory(context: click.Context, option: click.Parameter, text: str | None) -> int | None:  # noqa: ARG001
    try:
        return None if text is None else read_size_bytes(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


def batch_option(command: Command) -> Command:
    """``--batch``: inputs per call."""
    return click.option(
        "--batch",
        type=click.IntRange(min=1),
        metavar="N",
        help="Inputs per call, where the file fixes them, too; else what it says. Of a profile: of these runs.",
    )(command)


def target_option(command: Command) -> Command:
    """``--target``: which graph is split."""
    return _target_option(command, default=PORTABLE, shown=True)


def _target_option(command: Command, *, default: str, shown: str | bool) -> Command:
    return click.option(
        "--target",
        type=click.Choice(TARGETS),
        default=default or None,
        show_default=shown,
        help="portable keeps standard operators; onnxruntime-cpu and -cuda split the graph that the runtime "
        "would execute here on that provider; openvino splits where OpenVINO does here.",
    )(command)


def dims_option(command: Command) -> Command:
    """``--dim``: texts for ``parse_dims``."""
    return click.option(
        "--dim",
        "dims",
        multiple=True,
        metavar="NAME=VALUE",
        help="Bind a symbolic dimension, as in batch=8; repeat for each. Of a decoder: past, sequence, batch.",
    )(command)


def system_options(command: Command) -> Command:
    """Give the command a ``where: SystemQuery``: a system, and what tells its configurations apart."""
    return _system_options(command, required=True)


def optional_system_options(command: Command) -> Command:
    """Give the command a ``where: SystemQuery`` whose system is empty where the user names none."""
    return _system_options(command, required=False)


def several_systems_options(command: Command) -> Command:
    """Give the command ``systems``, a ``SystemQuery`` for each --system, or --runtime, that the user names."""

    @functools.wraps(command)
    def bundled(
        *,
        system: tuple[str, ...],
        provider: str | None,
        threads: int | None,
        runtime: tuple[str, ...],
        store: str | None,
        bundle: str | None,
        **others: Any,
    ) -> Any:
        store = f"{BUNDLE}{bundle}" if bundle else store
        if len(system) > 1 and len(runtime) > 1 and len(system) != len(runtime):
            raise InputError("give as many --runtime as --system, or one of either")
        count = max(len(system), len(runtime))
        named, runtimes = system * (count // len(system)), runtime * (count // max(1, len(runtime))) or (None,) * count
        systems = tuple(
            SystemQuery(system=name, provider=provider, threads=threads, runtime=one, store=store)
            for name, one in zip(named, runtimes, strict=True)
        )
        return command(systems=systems, **others)

    return with_options(
        cast("Command", bundled),
        click.option(
            "--system", required=True, multiple=True, metavar="NAME", help="Stored system; several are compared."
        ),
        click.option("--provider", metavar="NAME", help="Execution provider, where the system has several."),
        click.option("--threads", type=click.IntRange(min=1), help="Threads, where the system has several."),
        click.option(
            "--runtime",
            multiple=True,
            metavar="TEXT",
            help="Runtime, as in openvino or 1.31.1; one for each --system, or several of one to compare.",
        ),
        _bundle_option,
        store_option,
    )


def _system_options(command: Command, *, required: bool) -> Command:
    must: dict[str, Any] = {"required": True} if required else {"default": ""}

    @functools.wraps(command)
    def bundled(
        *,
        system: str,
        provider: str | None,
        threads: int | None,
        runtime: str | None,
        store: str | None,
        bundle: str | None,
        **others: Any,
    ) -> Any:
        store = f"{BUNDLE}{bundle}" if bundle else store
        where = SystemQuery(system=system, provider=provider, threads=threads, runtime=runtime, store=store)
        return command(where=where, **others)

    return with_options(
        cast("Command", bundled),
        click.option("--system", **must, metavar="NAME", help="Name of a stored system (see 'systems')."),
        click.option("--provider", metavar="NAME", help="Execution provider, where the system has several."),
        click.option("--threads", type=click.IntRange(min=1), help="Threads, where the system has several."),
        click.option("--runtime", metavar="TEXT", help="Runtime, as in openvino or 1.31.1, if the system has several."),
        _bundle_option,
        store_option,
    )


def allowance_options(command: Command) -> Command:
    """Give the command an ``allowed: Allowances``."""

    @functools.wraps(command)
    def bundled(*, allow_missing: bool, allow_mismatch: bool, interpolate: bool, **others: Any) -> Any:
        allowed = Allowances(missing=allow_missing, mismatch=allow_mismatch, interpolate=interpolate)
        return command(allowed=allowed, **others)

    return with_options(
        cast("Command", bundled),
        click.option(
            "--allow-missing", is_flag=True, help="Estimate from what is there; the total is then a lower bound."
        ),
        click.option(
            "--interpolate",
            is_flag=True,
            help="Guess sequences without a result from similar ones of the system; not on asynchronous providers.",
        ),
        click.option(
            "--allow-mismatch", is_flag=True, help="Take the system's nearest results where none are as asked for."
        ),
    )


def with_options(command: Command, *options: Callable[[Any], Any]) -> Command:
    """Attach options so that the help lists them in the order given."""
    for option in reversed(options):
        command = option(command)
    return command


def table_options(options: Sequence[Option]) -> Callable[[Command], Command]:
    """Give the command ``asked: RunOptions`` from options of the harness's table, and what else they hold by name."""

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def bundled(**given: Any) -> Any:
            values = {one.field: _read(one, given.pop(one.field)) for one in options}
            asked = {name.name for name in fields(RunOptions)}
            others = {name: value for name, value in values.items() if name not in asked}
            return command(asked=run_options(values), **others, **given)

        return with_options(cast("Command", bundled), *map(_click_option, options))

    return decorate


def _click_option(one: Option) -> Callable[[Any], Any]:
    if not one.metavar:
        return click.option(one.flag, one.field, is_flag=True, help=one.help)
    default: dict[str, Any] = {"default": one.default, "show_default": True} if one.default else {}
    return click.option(one.flag, one.field, metavar=one.metavar, multiple=one.repeated, help=one.help, **default)


def _read(one: Option, given: Any) -> Any:
    """Turn what click gives for an option into its value.

    Raises:
        InputError: it cannot be read.
    """
    try:
        if isinstance(given, tuple):
            return tuple(one.read(text) for text in given)
        return one.read(given) if isinstance(given, str) else given
    except ValueError as error:
        raise InputError(f"{one.flag}: {error}") from None


def _known_rule(_context: click.Context, _option: click.Parameter, text: str) -> str:
    """Refuse a rule that does not exist before anything else is done."""
    from dlbricks.construct.rules import Rule

    return str(Rule.parse(text))


def rule_option(command: Command) -> Command:
    """``--rule``: how sequences overlap."""
    return click.option(
        "--rule",
        default="sequential",
        callback=_known_rule,
        show_default=True,
        metavar="RULE",
        help="How sequences add up: sequential, pairs (of a suite made with --pairs), parallel, lanes:k, or simulate "
        "(replays traces of a suite run with --trace). On asynchronous providers (CUDA): sequential or simulate.",
    )(command)


def _bundle_option(command: Command) -> Command:
    return click.option("--bundle", metavar="FILE", help="Ask this file, as 'publish' writes it, instead of a store.")(
        command
    )


def store_option(command: Command) -> Command:
    """``--store``: where results are kept."""
    return click.option(
        "--store",
        envvar="DLBRICKS_STORE",
        metavar="URL",
        help="Store, as in sqlite:///results.sqlite [env DLBRICKS_STORE; default: one file in the user's data folder].",
    )(command)


def json_flag(command: Command) -> Command:
    """``--json``: print JSON instead of a table."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON on stdout instead of tables.")(command)


def parse_pairs(texts: Sequence[str], option: str) -> dict[str, str]:
    """Turn ``NAME=VALUE`` texts into a mapping.

    Raises:
        InputError: no ``=``, an empty name, or the same name with two values.
    """
    pairs: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise InputError(f"{option} '{text}' is not of the form NAME=VALUE")
        if pairs.setdefault(name.strip(), value.strip()) != value.strip():
            raise InputError(f"{option} gives {name.strip()} two values")
    return pairs


def parse_dims(texts: Sequence[str]) -> dict[str, int]:
    """Turn ``batch=8`` texts into extents.

    Raises:
        InputError: no pair, or no whole number from 1 up that fits 64 bits.
    """
    return {name: _extent(name, value) for name, value in parse_pairs(texts, "--dim").items()}


def parse_grid(texts: Sequence[str]) -> tuple[dict[str, int], ...]:
    """Turn ``past=0,512`` texts into extents, each with each of the others; without texts there is one point.

    Raises:
        InputError: see ``parse_dims``; an extent twice, or too many points.
    """
    given = {name: value.split(",") for name, value in parse_pairs(texts, "--dim").items()}
    axes = [[(name, _extent(name, value.strip())) for value in values] for name, values in given.items()]
    for axis in axes:
        if len(set(axis)) < len(axis):
            raise InputError(f"--dim {axis[0][0]} gives an extent twice")
    if math.prod(map(len, axes)) > MOST_POINTS:
        raise InputError(f"--dim gives {math.prod(map(len, axes))} combinations: at most {MOST_POINTS} make a suite")
    return tuple(dict(point) for point in itertools.product(*axes))


def _extent(name: str, value: str) -> int:
    least = 0 if name == PAST else 1
    if not (value.isascii() and value.isdigit() and len(value) < 19 and int(value) >= least):
        raise InputError(f"--dim {name}={value}: the extent must be a whole number from {least} up, below 10^18")
    return int(value)


def tell(line: str) -> None:
    """Say something on stderr, in one line."""
    click.echo(plain(line), err=True)


def tell_notes(profiles: "Sequence[Profile]") -> None:
    """Say on stderr what is wrong or missing in profiles, whatever is made of them."""
    for one in profiles:
        for note in one.all_notes:
            tell(f"{one.network}: {note}")
