"""The commands ``inspect`` and ``lower``, and reading of the networks that a user names."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import click

from dlbricks.cli.options import json_flag
from dlbricks.cli.output import present, tell
from dlbricks.cli.splitting import (
    BLOCK,
    TARGETS,
    SplitChoice,
    dims_option,
    lowering_threads_option,
    models_argument,
    parse_dims,
    split_options,
)
from dlbricks.estimating import PORTABLE, SystemQuery, open_results
from dlbricks.harness.options import RUNTIMES

if TYPE_CHECKING:
    from pathlib import Path

    from dlbricks.construct.inspection import Inspection
    from dlbricks.model.types import Model
    from dlbricks.sequences.types import Split
    from dlbricks.store.types import SplitSettings
    from dlbricks.suite.workers import Workers

_Made = TypeVar("_Made")


@click.command(short_help="Show layers, sequences, shapes and FLOPs of networks.")
@models_argument
@split_options
@click.option("--layers", is_flag=True, help="List every layer with its shapes, arithmetic and bytes.")
@json_flag
def inspect(models: Sequence[str], choice: SplitChoice, layers: bool, as_json: bool) -> None:
    """Show layers, unique sequences, shapes, FLOPs and bytes of networks, and layers that cannot be measured.

    MODEL is an ONNX file, a folder or a pattern, or hf:FOLDER for the architecture of a Hugging Face model, which needs
    only config.json. Weights may be missing.

    FLOPs are those of convolutions, matrix products, recurrent cells and attention, with two for a multiply-add;
    --layers lists all operations and the bytes that are read and written.
    """
    from dlbricks.report.networks import inspection_report

    inspections = _apart(_inspection, named_networks(models, choice.dims), choice)
    present(
        "inspect", {"networks": inspections}, lambda: inspection_report(inspections, layers=layers), as_json=as_json
    )


def _inspection(path: "Path", choice: SplitChoice, threads: int) -> "Inspection":
    from dlbricks.construct.inspection import inspect_split
    from dlbricks.model.read.checker import complaint

    invalid = complaint(path)
    return inspect_split(_split(path, choice, threads), invalid=invalid)


@click.command(short_help="Save networks as the runtime executes them here.")
@models_argument
@click.option("--target", type=click.Choice(TARGETS[1:3]), default=TARGETS[1], show_default=True, help="Which graph.")
@dims_option
@lowering_threads_option
@click.option("-o", "--out", required=True, metavar="FOLDER", help="Folder of the files; older ones are replaced.")
@json_flag
def lower(models: Sequence[str], target: str, dims: Sequence[str], threads: int, out: str, *, as_json: bool) -> None:
    """Save the graphs that the runtime executes on this machine: operators, shapes and connections, without weights.

    Other machines read such a file like any network, with the same --target, so that networks can be estimated for a
    device of another machine. It is for one version of the runtime and one kind of processor or GPU.
    """
    from pathlib import Path

    from dlbricks.model.lowering.saved import made_here, save_lowered
    from dlbricks.report.jsonable import to_json

    choice = SplitChoice(granularity="1", target=target, splitter=BLOCK, dims=parse_dims(dims))
    paths = named_networks(models, choice.dims)
    here, written = made_here(target), []
    for path, model in zip(paths, _apart(_lowered, paths, choice, threads), strict=True):
        written.append(Path(out) / f"{path.stem}.{target}.onnx")
        save_lowered(model, written[-1], here)
        click.echo(f"{written[-1]}: {len(model.layers)} layers of {model.source_layers}", err=as_json)
    if as_json:
        files = [str(file) for file in written]
        click.echo(to_json("lower", {"target": target, "made_for": here, "files": files}), nl=False)


def _lowered(path: "Path", choice: SplitChoice, threads: int) -> "Model":
    from dlbricks.model.lowering.onnxruntime_cpu import lower as lowered
    from dlbricks.model.read.network import read_model

    return lowered(read_model(path, dims=choice.dims), threads=threads, target=choice.target)


def named_networks(models: Sequence[str], dims: Mapping[str, int]) -> "tuple[Path, ...]":
    """Return the networks that the user named; which of them do not use a dimension that he gave is said on stderr.

    Raises:
        InputError: there is no such file, or no network has a dimension.
    """
    from dlbricks.model.read.dimensions import check_given
    from dlbricks.model.read.network import find_networks

    paths = find_networks(models)
    for line in check_given(paths, dims):
        tell(line)
    return paths


def as_measured(models: Sequence[str], choice: SplitChoice, where: SystemQuery) -> SplitChoice:
    """Complete split settings that the user left open by those of the suite that a system has measured, or defaults.

    The settings are printed on stderr, and also if nothing was measured with the settings of the user.
    """
    chosen = {name: getattr(choice, name) for name in ("granularity", "target", "splitter") if getattr(choice, name)}
    from dlbricks.model.read.dimensions import known_to
    from dlbricks.store.types import SplitSettings

    paths = named_networks(models, choice.dims)
    with open_results(where.store) as opened:
        measured = opened.split_settings(where.system)
    runtime = (where.runtime or "").partition(" ")[0]
    if runtime in RUNTIMES:
        measured = tuple(
            settings for settings in measured if settings.target == PORTABLE or settings.target.startswith(runtime)
        )
    fitting = [
        settings for settings in measured if all(getattr(settings, name) == value for name, value in chosen.items())
    ]
    settings = fitting[0] if fitting else SplitSettings(granularity="1", target=PORTABLE, splitter=BLOCK)
    completed = replace(
        choice,
        **{name: getattr(settings, name) for name in ("granularity", "target", "splitter")} | chosen,
        dims={**known_to(paths, dict(settings.dims)), **choice.dims},
        batch=choice.batch or settings.batch,
    )
    if fitting and len(chosen) < 3:
        others = f"; measured, too: {_settings(fitting[1])}" if len(fitting) > 1 else ""
        tell(f"split as measured on {where.system}: {_settings(settings)}{others}")
    elif measured and not fitting:
        tell(f"{where.system} was measured with {_settings(measured[0])}, which differs from the request")
    return completed


def _settings(settings: "SplitSettings") -> str:
    from dlbricks.report.results import extents

    splitter = "" if settings.granularity == "1" else f" --splitter {settings.splitter}"
    return f"-H {settings.granularity} --target {settings.target}{splitter}{extents(settings)}"


def splits(models: Sequence[str], choice: SplitChoice, *, threads: int = 1) -> "list[Split]":
    """Read, lower and split the networks that the user named, in a worker process.

    Raises:
        InputError: a file, an extent or a granularity cannot be used.
    """
    from dlbricks.model.read.network import find_networks

    return _apart(_split, find_networks(models), choice, threads)


def splits_at(workers: "Workers", path: "Path", choices: Sequence[SplitChoice], *, threads: int = 1) -> "list[Split]":
    """Read, lower and split a network with each of several settings, in worker processes; see ``splits``.

    Raises:
        InputError: the file, an extent or a granularity cannot be used.
    """
    from functools import partial

    from dlbricks.errors import UnsupportedModelError
    from dlbricks.suite.workers import Crashed

    results: list[Split] = []
    for result in workers.each(partial(_split_with, path, threads), choices, lambda _: None):
        if isinstance(result, Crashed):
            raise UnsupportedModelError(f"{path} {result.reason}")
        results.append(result)
    return results


def _split_with(path: "Path", threads: int, choice: SplitChoice) -> "Split":
    return _blamed(_split, choice, threads, path)


def _apart(
    function: "Callable[..., _Made]", paths: "Sequence[Path]", choice: SplitChoice, threads: int = 1
) -> "list[_Made]":
    """Call a function with each network, in a worker process; for devices, in this process."""
    from functools import partial

    from dlbricks.model.lowering.targets import provider_of
    from dlbricks.suite.workers import each_in_worker

    bound = partial(_blamed, function, choice, threads)
    return each_in_worker(bound, paths, apart=provider_of(choice.target) == "cpu", memory_bytes=choice.memory_bytes)


def _blamed(function: "Callable[..., _Made]", choice: SplitChoice, threads: int, path: "Path") -> "_Made":
    from dlbricks.model.read.checker import blamed

    with blamed(path):
        return function(path, choice, threads)


def _split(path: "Path", choice: SplitChoice, threads: int) -> "Split":
    from pathlib import Path

    from dlbricks.api import split
    from dlbricks.model.lowering.targets import for_target
    from dlbricks.model.read.network import read_batched

    model = read_batched(path, dims=choice.dims, batch=choice.batch)
    if model.target != choice.target:
        scratch = Path(choice.scratch) if choice.scratch else None
        model = for_target(model, choice.target, threads=threads, scratch=scratch)
    return split(model, granularity=choice.granularity, splitter=choice.splitter, allow_values=choice.allow_values)
