"""Options that several commands share, as decorators. The module imports no heavy library."""

import functools
import itertools
from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from dlbricks.api.estimates import BUNDLE
from dlbricks.errors import InputError
from dlbricks.files import refuse_unwritable
from dlbricks.harness.options import Option, RunOptions, number_from, run_options
from dlbricks.settings import SystemQuery
from dlbricks.units import parse_share

Command = TypeVar("Command", bound=Callable[..., Any])


class Reader(click.ParamType):  # type: ignore[type-arg] # older releases have no type arguments
    """A type of options: a function parses the text of the option, and errors of the function become usage errors."""

    name = "n"

    def __init__(self, read: Callable[[str], Any], advice: str = "") -> None:
        """Store the function, which raises ``ValueError`` or ``InputError``, and what to add to its message."""
        self._read, self._advice = read, advice

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Parse the text of an option; a default value that is not a text is returned unchanged."""
        try:
            return self._read(value) if isinstance(value, str) else value
        except (ValueError, InputError) as error:
            self.fail(f"{error}{self._advice}", param, ctx)


def at_least(least: int, advice: str = "") -> Reader:
    """Return the option type of whole numbers that are at least ``least``."""
    return Reader(number_from(least), advice)


def with_options(command: Command, *options: Callable[[Any], Any]) -> Command:
    """Attach options to a command; its ``--help`` lists them in this order."""
    for option in reversed(options):
        command = option(command)
    return command


force_option = click.option("--force", is_flag=True, is_eager=True, help="Replace what is there.")


def out_option(**more: Any) -> Callable[[Command], Command]:
    """Add -o, whose file is refused before any work if it exists and has content, and --force, which replaces it."""

    def refuse(context: click.Context, _option: click.Parameter, out: str | None) -> str | None:
        force = context.params.pop("force")  # read already, since it is eager
        if out is not None:
            refuse_unwritable(Path(out), replace=force)
        return out

    return lambda command: click.option("-o", "--out", callback=refuse, **more)(force_option(command))


store_option = click.option(
    "--store",
    envvar="DLBRICKS_STORE",
    metavar="URL",
    help="Store, as in sqlite:///results.sqlite [env DLBRICKS_STORE; default: a file in your data folder].",
)
pass_option = click.option(
    "--pass",
    "passes",
    multiple=True,
    metavar="FILE.py:NAME",
    help="Function that changes the onnx_graphsurgeon.Graph of each network before anything else, or name of an "
    "installed pass; repeat for more. FILE.py runs with your rights.",
)
fail_above_option = functools.partial(click.option, "--fail-above", type=Reader(parse_share), metavar="SHARE")
json_flag = click.option("--json", "as_json", is_flag=True, help="Print JSON on stdout instead of tables.")


def system_options(command: Command, *, required: bool = True, several: bool = False) -> Command:
    """Add the parameter ``where: SystemQuery`` to a command; without ``required`` the system may be empty.

    With ``several`` the parameter is ``systems``: a query for each --system, or for each --runtime of one system.
    Without --system the name of the system is empty.
    """

    @functools.wraps(command)
    def bundled(
        *, system: Any, provider: str | None, threads: int | None, runtime: Any, store: str | None, **others: Any
    ) -> Any:
        bundle = others.pop("bundle")
        store = f"{BUNDLE}{bundle}" if bundle else store
        systems = tuple(
            SystemQuery(system=name, provider=provider, threads=threads, runtime=version, store=store)
            for name, version in (_paired(system, runtime) if several else [(system, runtime)])
        )
        if required and not system:
            from dlbricks.api.ranking import known_systems

            names = dict.fromkeys(each.facts.configuration.system for each in known_systems(systems[0]))
            raise InputError(f"--system is missing: choose from {', '.join(names)}")
        return command(systems=systems, **others) if several else command(where=systems[0], **others)

    name, version = "Name of a stored system (see 'systems')", "Runtime or version, as in openvino or 1.31.1"
    version += "; one for each --system, or several for one." if several else "; else what covers most."
    name += "; repeat to compare several [default: all, fastest first]." if several else "." + "  [required]" * required
    return with_options(
        cast("Command", bundled),
        # not required by click, which cannot say what systems there are
        click.option("--system", default=() if several else "", multiple=several, metavar="NAME", help=name),
        click.option("--provider", metavar="NAME", help="Execution provider; else what covers most."),
        click.option("--threads", type=at_least(1, " ('systems' lists them)"), help="Threads; else what covers most."),
        click.option("--runtime", multiple=several, metavar="TEXT", help=version),
        click.option("--bundle", metavar="FILE", help="Read results from a bundle (see 'publish'), not from a store."),
        store_option,
    )


optional_system_options = functools.partial(system_options, required=False)
several_systems_options = functools.partial(system_options, required=False, several=True)


def _paired(systems: tuple[str, ...], runtimes: tuple[str, ...]) -> list[tuple[str, str | None]]:
    # A single system goes with every runtime, and a single runtime with every system.
    if len(systems) > 1 and len(runtimes) > 1 and len(systems) != len(runtimes):
        raise InputError("--system and --runtime differ in number: give equally many, or one of them only once")
    count = max(1, len(systems), len(runtimes))
    return [*itertools.islice(zip(itertools.cycle(systems or ("",)), itertools.cycle(runtimes or (None,))), count)]


def _rule(text: str) -> str:
    from dlbricks.construct.types import Rule

    return text and str(Rule.parse(text))


rule_option = click.option(
    "--rule",
    default="",
    type=Reader(_rule),
    metavar="RULE",
    help="Composition rule: sequential, pairs (needs a suite with --pairs), parallel, or simulate (replays traces of "
    "'run --trace'); CUDA needs sequential or simulate [default: pairs if they were measured, else sequential].",
)


class ManyOptionsCommand(click.Command):
    """A command with many options: ``--help`` shows the basic ones, ``--help-all`` all of them."""

    def __init__(self, *arguments: Any, basic: str, **more: Any) -> None:
        """Store the names of the basic options, separated by spaces, as in ``--out --json``."""
        super().__init__(*arguments, **more)
        self.basic = frozenset((*basic.split(), "--help-all", "--help"))
        options = sum(isinstance(parameter, click.Option) for parameter in self.params)
        show = functools.partial(click.Option, is_flag=True, is_eager=True, expose_value=False, callback=_show_all)
        self.params.append(show(["--help-all"], help=f"Show all {options} options and exit."))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the basic options, or with ``--help-all`` all of them."""
        whole = ctx.meta.get(_WHOLE, False)
        options = [option for option in self.get_params(ctx) if whole or self.basic.intersection(option.opts)]
        with formatter.section("Options"):
            # arguments have no help and are always listed
            formatter.write_dl([record for option in options if (record := option.get_help_record(ctx)) and record[1]])


_WHOLE = "dlbricks.help_all"


def _show_all(context: click.Context, _option: click.Parameter, is_set: bool) -> None:
    if is_set:
        context.meta[_WHOLE] = True
        click.echo(context.get_help())
        context.exit()


def table_options(options: Sequence[Option]) -> Callable[[Command], Command]:
    """Add options to a command; the options of a measurement become the parameter ``run_options``."""

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def bundled(**values: Any) -> Any:
            read = {option.field: values.pop(option.field) for option in options}
            run_fields = {field.name for field in fields(RunOptions)}
            others = {name: value for name, value in read.items() if name not in run_fields}
            return command(run_options=run_options(read), **others, **values)

        return with_options(cast("Command", bundled), *map(_click_option, options))

    return decorate


def _click_option(option: Option) -> Callable[[Any], Any]:
    if not option.metavar:
        return click.option(option.flag, option.field, is_flag=True, help=option.help)
    default: dict[str, Any] = {"default": option.default, "show_default": True} if option.default else {}
    more = {"metavar": option.metavar, "multiple": option.repeated, "help": option.help, **default}
    return click.option(option.flag, option.field, type=Reader(option.read), **more)
