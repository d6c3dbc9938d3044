"""The program ``dlbricks``: its commands, and the conversion of each error to one line and an exit code.

Only the commands import heavy libraries, so that ``dlbricks --help`` is fast.
"""

import contextlib
import difflib
import errno
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any

import click

from dlbricks.cli.output import tell
from dlbricks.errors import DlbricksError
from dlbricks.extensions import load, offered, summary
from dlbricks.files import refuse_undecoded
from dlbricks.harness.errors import BAD_INPUT, MISSING, HarnessError
from dlbricks.version import __version__

# Exit codes: after Ctrl-C that of shells, for an internal error EX_SOFTWARE of sysexits.h.
INTERRUPTED, FAULT = 130, 70
# Environment variable: if it is set, an internal error prints its traceback.
DEBUG = "DLBRICKS_DEBUG"

# Errors about paths that the user or one of the user's files names: they are input errors wherever they are raised.
_UNUSABLE = frozenset({errno.ENAMETOOLONG, errno.EACCES, errno.EPERM, errno.ELOOP})
# Errors of writing that name no path: of stdout, or of a file on a full disk.
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
# Most characters of such a path in a message.
_MOST_LETTERS = 200

# Commands in the order of a workflow, with the modules of this package that define them; those of plug-ins come last.
_MODULES = (
    ("validation", "demo quick"),
    ("suite", "inspect lower generate run"),
    ("results", "check submit withdraw suites systems query publish"),
    ("estimates", "compare"),
    ("planning", "coverage plan"),
    ("estimates", "estimate"),
    ("validation", "validate"),
    ("tracing", "profile"),
    ("analyses", "analyse report export"),
    ("whatif", "whatif"),
    ("diagnosis", "doctor"),
)
# The module of each command.
COMMANDS: Mapping[str, str] = {name: module for module, names in _MODULES for name in names.split()}

# Group of entry points that add commands; each is a ``click.Command``.
EXTENSIONS = "dlbricks.commands"

EPILOG = """\
Exit codes: 0 success, 1 a check or gate failed, 2 bad input or usage, 3 a package or driver is missing,
4 a benchmark failed, 70 a fault of dlbricks, 130 interrupted. Results go to stdout, progress to stderr."""


class Program(click.Group):
    """The group of all commands. It prints every error in one line on stderr, and exits with the error's code."""

    def main(self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: Any) -> Any:  # type: ignore[override]
        """Run a command and exit with its exit code."""
        # click itself would print errors in several lines and exit with other codes
        extra["standalone_mode"] = False
        try:
            for text in sys.argv[1:] if args is None else args:
                refuse_undecoded(text)
            code = super().main(args, prog_name, **extra)
        except click.UsageError as error:
            hint = f" (see '{error.ctx.command_path} --help')" if error.ctx else ""
            # the form of all other messages: the option, then what is wrong with its value
            option = None if isinstance(error, click.MissingParameter) else getattr(error, "param", None)
            text = f"{option.opts[-1]}: {error.message}" if option else error.format_message()
            code = _complain(text.removesuffix(".") + hint, error.exit_code)
        except click.ClickException as error:
            code = _complain(error.format_message(), error.exit_code)
        except (DlbricksError, HarnessError) as error:
            code = _complain(str(error), error.exit_code)
        except (KeyboardInterrupt, click.Abort):
            code = _complain("interrupted", INTERRUPTED)
        except Exception as error:
            # a path that cannot be used is an error of the input, not a fault of dlbricks
            is_path = isinstance(error, OSError) and error.errno in _UNUSABLE and error.filename
            if os.environ.get(DEBUG) and not is_path:
                raise
            code = _complain(*_explained(error))
        sys.exit(code if isinstance(code, int) else 0)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command. The exit code is 0 even if the reader of stdout closes it early, as ``head`` does."""
        with _own_stdout():
            try:
                code = super().invoke(ctx)
                sys.stdout.flush()
            except BrokenPipeError:
                # The reader has closed stdout (| head): the rest of the buffer goes to the null device.
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
                return 0
            return code

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """List the commands; those of plug-ins come last."""
        return list(dict.fromkeys([*COMMANDS, *offered(EXTENSIONS)]))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import a command's module when the command is used; a plug-in cannot replace a command of dlbricks."""
        if cmd_name in COMMANDS:
            command: click.Command = getattr(import_module(f"dlbricks.cli.{COMMANDS[cmd_name]}"), cmd_name)
            return command
        point = offered(EXTENSIONS).get(cmd_name)
        return load(point, click.Command) if point else None

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Find the command that is named first; an unknown name is an error with the most similar name."""
        commands = self.list_commands(ctx)
        near = difflib.get_close_matches(args[0], commands, 1)
        if near and args[0] not in commands:
            raise click.UsageError(f"No such command '{args[0]}': did you mean '{near[0]}'?", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write one line for each command; no plug-in is imported for that."""
        points = offered(EXTENSIONS)
        # 2 of indent, 2 between the columns, 2 of margin
        limit = formatter.width - 6 - max(map(len, (*COMMANDS, *points)))
        commands = {name: self.get_command(ctx, name) for name in COMMANDS}
        rows = [(name, command.get_short_help_str(limit)) for name, command in commands.items() if command]
        rows += [(name, summary(point)) for name, point in points.items() if name not in COMMANDS]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


@contextlib.contextmanager
def _own_stdout() -> Iterator[None]:
    # Keep stdout for the command in this block; what libraries and their processes write to stdout goes to stderr.
    try:
        is_process = (sys.stdout.fileno(), sys.stderr.fileno()) == (1, 2)
    except (AttributeError, OSError, ValueError):  # stdout is closed, or a calling program collects it
        is_process = False
    if not is_process:
        yield
        return
    usual = sys.stdout
    usual.flush()
    buffering = 1 if usual.line_buffering else -1
    with os.fdopen(os.dup(1), "w", buffering, encoding=usual.encoding, errors=usual.errors) as own:
        os.dup2(2, 1)
        sys.stdout = own
        try:
            yield
            own.flush()
        finally:
            sys.stdout = usual
            os.dup2(own.fileno(), 1)


def _explained(error: Exception) -> tuple[str, int]:
    # Return the message and the exit code of an error that no command handles.
    if isinstance(error, OSError) and error.errno in (_UNUSABLE if error.filename else _FULL):
        return f"cannot use {str(error.filename or 'stdout or a file')[:_MOST_LETTERS]}: {error.strerror}", BAD_INPUT
    if isinstance(error, MemoryError | RecursionError):
        reason = "is nested too deeply" if isinstance(error, RecursionError) else "needs more memory than available"
        return f"the input {reason}: use a smaller one", BAD_INPUT
    if isinstance(error, ImportError) and str(error.name or error.path).startswith("onnxruntime"):
        from dlbricks.harness.session import SessionSettings, check_settings

        try:
            check_settings(SessionSettings())
        except HarnessError as missing:
            return str(missing), missing.exit_code
        return f"onnxruntime cannot be used ({error}): reinstall it", MISSING
    if _was_interrupted(error):
        return "interrupted", INTERRUPTED
    reason = f"unexpected {type(error).__name__}: {error}"
    return f"{reason}; this is a fault of dlbricks: run again with {DEBUG}=1 and report it", FAULT


def _was_interrupted(error: BaseException) -> bool:
    # An interruption may leave a lock half acquired; the error that follows from that is not a fault.
    before = error.__context__
    return before is not None and (isinstance(before, KeyboardInterrupt) or _was_interrupted(before))


def _complain(message: str, code: int) -> int:
    tell(f"error: {' '.join(message.split())}")
    return code


@click.group(
    cls=Program,
    invoke_without_command=True,
    # a ``ManyOptionsCommand`` has an option --help-all of its own
    context_settings={"help_option_names": ["-h", "--help", "--help-all"], "max_content_width": 100},
    epilog=EPILOG,
)
@click.version_option(__version__, prog_name="dlbricks")
@click.pass_context
def main(context: click.Context) -> None:
    """Split networks into unique layer sequences, measure these anywhere, and estimate the latency of any network."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
