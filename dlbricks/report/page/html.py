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
    numbered = [{**_fields(panel), "id": f"panel-{number}"} for number, panel in enumerate(panels)]
    drawn = [{name: panel[name] for name in ("id", "figures", "sheets", "timeline")} for panel in numbered]
    root = templates_root()
    return (
        environment()
        .get_template("report.html.j2")
        .render(
            title=title,
            version=dlbricks.__version__,
            panels=numbered,
            style=(root / "report.css").read_text(encoding="utf-8"),
            script=(root / "report.js").read_text(encoding="utf-8"),
            timeline_script=(root / "timeline.js").read_text(encoding="utf-8"),
            plotly=plotly_script(),
            content=json_text({"colours": colours, "panels": drawn}),
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


def json_text(content: Mapping[str, Any]) -> str:
    """Serialise JSON that is safe inside a script element; dataclasses become objects, charts plotly.js JSON."""
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_fields)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _fields(value: Any) -> Any:
    if dataclasses.is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    return value.to_plotly_json()


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
