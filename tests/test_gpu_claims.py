"""What documents say of a GPU with a figure tells what it rests on."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "benchmarks" / "gpu" / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
OF_A_GPU = re.compile(r"\b(GPUs?|CUDA|CUPTI)\b")
FIGURE = re.compile(r"\d\s?(%|us\b|µs|ms\b|times (as|slower|faster))")
BASIS = re.compile(
    r"modelled|public (traces?|figures)|traces of GPUs|XSP saw|compared (it )?with a GPU|on (no|a) GPU yet"
    r"|measured on (an|one|two) H200|back-test",
    re.IGNORECASE,
)


def unmarked(text: str) -> list[str]:
    """Give sentences, and rows of tables, with a figure of a GPU whose paragraph does not say what it rests on.

    Rows and blocks of code may also rest on what the paragraph above them says.
    """
    found, above = list[str](), ""
    for paragraph in re.split(r"\n\s*\n|\n(?=\||#)", text):
        row = paragraph.startswith(("|", "    "))
        above = above if row or paragraph.startswith("<!--") else paragraph
        sentences = re.split(r"(?<=[.:])\s+(?=[A-Z*])", " ".join(paragraph.split()))
        figures = [one for one in sentences if OF_A_GPU.search(one) and FIGURE.search(one)]
        found += figures if not BASIS.search(paragraph) and not (row and BASIS.search(above)) else []
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda one: str(one.relative_to(ROOT)))
def test_figures_of_gpus_tell_what_they_rest_on(page: Path) -> None:
    """They are modelled, from traces that others published, or measured on a GPU that is named."""
    assert unmarked(page.read_text(encoding="utf-8")) == []


def test_an_unmarked_figure_is_found() -> None:
    """A claim is found in prose and in tables; marked, or without a figure of a GPU, it is none."""
    claim = "Kernels on a GPU are timed\nwithin 1 %."
    assert unmarked(f"Text.\n\n{claim}") == ["Kernels on a GPU are timed within 1 %."]
    assert unmarked("| CUDA | 3 % |\n| CPU | 4 % |") == ["| CUDA | 3 % |"]
    assert unmarked("Back-tests:\n\n| CUDA | 3 % |\n| CUDA | 4 % |\n\nText.\n\n| CUDA | 5 % |") == ["| CUDA | 5 % |"]
    assert unmarked(f"{claim} Modelled: on no GPU yet.") == []
    assert unmarked("A GPU may be used. Processors are timed within 1 %.") == []
