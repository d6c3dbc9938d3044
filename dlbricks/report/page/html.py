"""HTML page of a report: a single file without external resources."""

import dataclasses
import functools
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import jinja2

import dlbricks
from dlbricks.errors import missing_extra
from dlbricks.files import write_text
from dlbricks.report.page.timeline import Timeline
from dlbricks.report.page.types import Panel
from dlbricks.suite.rendering import templates_root


def save_page(path: Path, title: str, panels: Sequence[Panel], colours: Mapping[str, str]) -> None:
    """Write a page.

    Args:
        path: the HTML file.
        title: title of the page.
        panels: at least one.
        colours: colours of layer types, for example ``#4e79a7``; others are grey.

    Raises:
        MissingDependencyError: plotly is not installed.
        InputError: the file cannot be written.
    """
    write_text(path, page(title, panels, colours))


def page(title: str, panels: Sequence[Panel], colours: Mapping[str, str]) -> str:
    """Return the HTML text of a page; see ``save_page``."""
    charts = plotly_script()
    numbered = [_panel(panel, f"panel-{number}") for number, panel in enumerate(panels)]
    content = {"colours": dict(colours), "panels": numbered}
    root = templates_root()
    return (
        environment()
        .get_template("report.html.j2")
        .render(
            title=title,
            version=dlbricks.__version__,
            panels=[{**_shown(panel), "id": made["id"]} for panel, made in zip(panels, numbered, strict=True)],
            style=(root / "report.css").read_text(encoding="utf-8"),
            script=(root / "report.js").read_text(encoding="utf-8"),
            timeline_script=(root / "timeline.js").read_text(encoding="utf-8"),
            plotly=charts,
            content=json_text(content),
        )
    )


@functools.cache
def plotly_script() -> str:
    """Return the text of plotly.js from the plotly package.

    Raises:
        MissingDependencyError: plotly is not installed.
    """
    try:
        from plotly.offline import get_plotlyjs
    except ImportError as error:
        raise missing_extra("a report needs plotly", "report") from error
    return str(get_plotlyjs()).replace("</script", "<\\/script")


def _shown(panel: Panel) -> dict[str, Any]:
    """Return the data used by the template."""
    return {field.name: getattr(panel, field.name) for field in dataclasses.fields(panel)}


def _panel(panel: Panel, name: str) -> dict[str, Any]:
    """Return the data used by the script of the page."""
    return {
        "id": name,
        "figures": [{"data": list(one.data), "layout": dict(one.layout)} for one in panel.figures],
        "sheets": [dict(one) for one in panel.sheets],
        "timeline": None if panel.timeline is None else _timeline(panel.timeline),
    }


def _timeline(made: Timeline) -> dict[str, Any]:
    types = list(dict.fromkeys(type_ for type_ in made.colour if type_))
    places = {"": -1, **{type_: place for place, type_ in enumerate(types)}}
    return {
        "length": made.length_ns,
        "lanes": [{"title": lane.title, "first": lane.first_row, "rows": lane.rows} for lane in made.lanes],
        "unit": made.unit,
        "calls": [list(call) for call in made.calls],
        "texts": list(made.texts),
        "types": types,
        "start": list(made.start_ns),
        "duration": list(made.duration_ns),
        "row": list(made.row),
        "name": list(made.name),
        "detail": list(made.detail),
        "colour": [places[type_] for type_ in made.colour],
        "level": list(made.level),
        "spans": list(made.spans),
        "launch": list(made.launch),
    }


def json_text(content: Mapping[str, Any]) -> str:
    """Serialise JSON that is safe inside a script element."""
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


@functools.cache
def environment() -> jinja2.Environment:
    """Return the template environment, with escaping."""
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(templates_root()),
        undefined=jinja2.StrictUndefined,
        autoescape=True,  # style, scripts and JSON are marked safe in the template
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
