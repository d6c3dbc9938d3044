"""The HTML page of a report, a single file without external resources."""

import dataclasses
import functools
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jinja2

from dlbricks.errors import missing_extra
from dlbricks.files import write_text
from dlbricks.suite.writing import templates_root
from dlbricks.version import __version__

if TYPE_CHECKING:
    from dlbricks.report.charts import Panel


def save_page(path: Path, title: str, panels: "Sequence[Panel]", colours: Mapping[str, str]) -> None:
    """Write a page; ``colours`` maps layer types to colours such as ``#4e79a7``. Other types are grey."""
    numbered = [{**_plain(panel), "id": f"panel-{number}"} for number, panel in enumerate(panels)]
    drawn = [{name: panel[name] for name in ("id", "figures", "sheets", "timeline")} for panel in numbered]
    parts = {"style": "report.css", "script": "report.js", "timeline_script": "timeline.js", "graph_script": "graph.js"}
    page = environment().get_template("report.html.j2")
    text = page.render(
        title=title,
        version=__version__,
        panels=numbered,
        plotly=plotly_script(),
        content=json_text({"colours": colours, "panels": drawn}),
        **{name: (templates_root() / file).read_text(encoding="utf-8") for name, file in parts.items()},
    )
    write_text(path, text)


@functools.cache
def plotly_script() -> str:
    """Return the text of plotly.js from the package plotly; raises ``MissingDependencyError`` if plotly is missing."""
    try:
        from plotly.offline import get_plotlyjs
    except ImportError as error:
        raise missing_extra("a report needs plotly", "report") from error
    return str(get_plotlyjs()).replace("</script", "<\\/script")


def json_text(content: Mapping[str, Any]) -> str:
    """Serialise content as JSON that is safe inside a script element; dataclasses and charts become objects."""
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_plain)
    # JSON permits the line separators of Unicode in a text, but in older JavaScript they end a line.
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if hasattr(value, "to_plotly_json"):
        return value.to_plotly_json()
    # In arrays of charts a missing number is NaN, which JSON writes as null.
    figures = value.tolist()
    return [None if figure != figure else figure for figure in figures] if isinstance(figures, list) else figures  # noqa: PLR0124


@functools.cache
def environment() -> jinja2.Environment:
    """Return the Jinja environment of the templates, which escapes values."""
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(templates_root()),
        undefined=jinja2.StrictUndefined,
        autoescape=True,  # the template marks style, scripts and JSON as safe
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
