"""Profiles: measure networks level by level, and read, analyse and export profiles and recordings."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dlbricks.analysis.breakdown import MOST, breakdown
from dlbricks.analysis.catalogue import chosen, compare, networks_table, ranks_table
from dlbricks.analysis.executions import at_batch
from dlbricks.analysis.table import AnalysisTables, NetworkTables
from dlbricks.api.networks import named
from dlbricks.errors import BenchmarkError, DlbricksError, InputError, named_out
from dlbricks.files import refuse_unwritable, refuse_unwritable_folder
from dlbricks.harness.machine import system_facts, system_name
from dlbricks.harness.run.progress import Progress, silent
from dlbricks.harness.session import session_settings
from dlbricks.profile.counters import NOT_COUNTED
from dlbricks.profile.experiment import ExperimentPlan, possible_levels, profile_isolated, roofs_isolated
from dlbricks.profile.file import SUFFIX, WRITERS, Export, ExportedPart, format_of, joined_part, parts_of, write_profile
from dlbricks.profile.open import read_any
from dlbricks.settings import ProfileOptions
from dlbricks.suite.manifest import MANIFEST, SUFFIXES
from dlbricks.trace.correlate import findings
from dlbricks.trace.kinds import COLLECTIVE
from dlbricks.trace.types import Profile

_FILE_SUFFIXES = (".json", ".json.gz")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfiledNetworks:
    """Result of profiling networks; the keys of each mapping are the networks' files."""

    profiles: Mapping[Path, Profile]
    files: Mapping[Path, Path]
    """Files to which profiles were written; empty if none was to be written."""
    failed: Mapping[Path, str]
    """Reasons of failures, for networks without a profile."""


def profile_networks(
    models: Sequence[str],
    options: ProfileOptions | None = None,
    *,
    out: str | Path | None = None,
    progress: Callable[[Progress, str], None] = silent,
    tell: Callable[[str], None] = silent,
) -> ProfiledNetworks:
    """Time and trace networks (files, folders or globs) at every level of tracing on this machine.

    ``out`` is a .json or .json.gz file for a single network, else a folder; each profile is written when it is
    finished. ``progress`` gets messages, each with a prefix that names network and batch size. If there are several
    networks, ``tell`` gets a line for each that fails. Raises ``InputError`` if a network, level or file cannot be
    used, ``HarnessError`` if this machine cannot satisfy an option, and ``BenchmarkError`` if peak rates cannot be
    measured or the only network fails.
    """
    options = options or ProfileOptions()
    # a suite looks like a folder of networks, but only 'run --trace' can trace it
    for text in models:
        if (Path(text) / MANIFEST).is_file() or text.endswith(SUFFIXES):
            raise InputError(f"{text} is a suite: trace it with 'dlbricks run {text} -o RESULT.json --trace ML'")
    with named(models, options.sizes, tell) as paths:
        # networks and files that cannot be used are refused first, since measuring the peaks takes seconds
        files = _places(paths, Path(out) if out else None, replace=options.run.force)
        plan = _plan_of(options)
        profiles, failed = dict[Path, Profile](), dict[Path, str]()
        for number, path in enumerate(paths, 1):
            name = path.stem if len(paths) == 1 else f"{path.stem} ({number} of {len(paths)})"

            def show_rounds(batch: int | None, message: Progress, name: str = name) -> None:
                progress(message, f"{name}: " if batch is None else f"{name}, batch {batch}: ")

            try:
                profiles[path] = profile_isolated(path, plan, show_rounds)
                if path in files:
                    write_profile(files[path], profiles[path])
            except DlbricksError as error:
                # the error of a single network is the error of the command; of several networks the others continue
                if len(paths) == 1:
                    raise
                failed[path] = str(error)
                tell(f"{path.stem} failed: {error}")
    return ProfiledNetworks(profiles=profiles, files=files, failed=failed)


def _places(paths: Sequence[Path], out: Path | None, *, replace: bool) -> dict[Path, Path]:
    # Return the path of each network's profile, and no paths without ``out``. Raises if two networks share a file, or
    # if a file exists and may not be replaced.
    if out is None:
        return {}
    alone = not out.is_dir() and out.name.endswith(_FILE_SUFFIXES)
    if alone and len(paths) > 1:
        raise InputError(f"-o {out} is one file, but there are {len(paths)} networks: name a folder")
    if not alone:
        refuse_unwritable_folder(out)
    places = {path: out if alone else out / f"{path.stem}{SUFFIX}" for path in paths}
    twice = next((path for path in paths if sum(other.stem == path.stem for other in paths) > 1), None)
    if twice is not None:
        raise InputError(f"two networks are named {twice.stem}: profile them one at a time, each into its own folder")
    for place in places.values():
        refuse_unwritable(place, b"\x1f\x8b" if place.suffix == ".gz" else b"{", replace=replace)
    return places


def _plan_of(options: ProfileOptions) -> ExperimentPlan:
    settings, facts = session_settings(options.run), system_facts()
    levels, notes = possible_levels(settings, options.levels)
    try:
        roofs = roofs_isolated(settings, facts) if options.roofs else None
    except BenchmarkError as error:
        raise BenchmarkError(f"{error}; give --no-roofs") from error
    system = {"name": options.run.name or system_name(facts), **facts}
    return ExperimentPlan(options=options, levels=levels, settings=settings, system=system, roofs=roofs, notes=notes)


def read_profiles(
    files: Sequence[str | Path],
    tell: Callable[[str], None],
    *,
    batch: int | None = None,
    verbose: bool = False,
    predicted: bool = False,
) -> list[Profile]:
    """Read profiles, or recordings of other programs (``profile.open.read_any``); ``batch`` selects runs of that size.

    With ``predicted``, timelines of predictions are read, too. ``tell`` gets the notes of each profile; with
    ``verbose`` it also gets irregularities of the traces. Raises ``InputError`` for a file that cannot be read or has
    no runs of the batch size.
    """
    profiles = []
    for path in map(Path, files):
        profile = read_any(path, predicted=predicted)
        if batch is not None and batch not in profile.batches:
            there = ", ".join(str(batch) for batch in profile.batches if batch)
            hint = f"choose from {there}" if there else "it states no batch size"
            raise InputError(f"{path} has no runs of batch {batch}: {hint}")
        profiles.append(profile if batch is None else at_batch(profile, batch))
        for note in (*profiles[-1].all_notes, *(profiles[-1].diagnostics if verbose else ())):
            tell(f"{profile.network}: {note}")
    return profiles


def analyse(  # noqa: PLR0913 - one parameter per option
    files: Sequence[str | Path],
    only: Sequence[str] = (),
    *,
    batch: int | None = None,
    comparing: bool = False,
    each: bool = False,
    brief: bool = False,
    verbose: bool = False,
    most: int | None = None,
    tell: Callable[[str], None] = silent,
) -> AnalysisTables:
    """Return tables that analyse profiles or traces; columns state their units, and tables state what they lack.

    ``only`` has ids of analyses, as in ``A2`` or ``headroom``; empty means all, and the breakdown of the time, whose
    tables have ``most`` rows (0: all; None: 10). With ``brief`` there is only the breakdown, which needs no counters.
    With ``comparing``, two files are compared by calls, layers and kernels instead. For several networks, the tables of
    each are computed only with ``only`` or ``each``. Networks of the same name get the file as part of their names,
    except with ``each``. The other parameters are those of ``read_profiles``. Raises ``InputError`` for unreadable
    files and unknown analyses.
    """
    analyses = chosen(only)
    if comparing and (len(files) != 2 or only):
        raise InputError("--compare needs exactly two files and cannot be used with --only")

    def tell_needed(note: str) -> None:
        if verbose or not brief or NOT_COUNTED not in note:
            tell(note)

    profiles = read_profiles(files, tell_needed, batch=batch, verbose=verbose)
    if comparing:
        tell(f"a is {files[0]}, b is {files[1]}")
        return AnalysisTables(tables=compare(*profiles))
    if not each:
        names = [profile.network for profile in profiles]
        profiles = [
            replace(profile, network=f"{profile.network} ({path})") if names.count(profile.network) > 1 else profile
            for profile, path in zip(profiles, files, strict=True)
        ]
    over = [networks_table(profiles)] if len(profiles) > 1 else []
    if over and all(COLLECTIVE in profile.runs[-1].trace.kinds for profile in profiles):
        over.append(ranks_table(profiles))
    own = (
        NetworkTables(
            network=profile.network,
            tables=() if brief else tuple(analysis.compute(profile) for analysis in analyses),
            breakdown=None if only else breakdown(profile, MOST if most is None else most),
        )
        for profile in profiles
        if len(profiles) == 1 or only or each
    )
    return AnalysisTables(tables=tuple(over), profiles=tuple(own))


def export_traces(files: Sequence[str | Path], out: Path | None, form: str | None, *, joined: bool = False) -> Export:
    """Write the traces in profiles to a file for a trace viewer, compressed if its name ends in ``.gz``.

    The format is ``chrome`` or ``otlp``; by default the suffix decides. With ``joined``, all traces are on one time
    axis, as ranks of a distributed run. Raises ``InputError`` if a file cannot be used, or if the clocks of joined
    traces cannot be compared.
    """
    form = form or (format_of(out) if out else "")
    profiles = read_profiles(files, silent, predicted=True)
    out = named_out(out, "the file to write, as in -o run.json")
    parts = (joined_part(profiles),) if joined else parts_of(profiles)
    WRITERS[form](parts, out)
    exported = (
        ExportedPart(
            name=part.name,
            spans=len(part.trace),
            lanes=len(part.trace.lanes),
            findings=tuple(dict.fromkeys((*part.trace.notes, *findings(part.trace)))),
        )
        for part in parts
    )
    return Export(file=str(out), file_format=form, parts=tuple(exported))
