"""Names are nouns and messages state facts: placeholder words are no names, and sentences have no negative subject."""

import ast
import io
import tokenize
from pathlib import Path

import pytest

import dlbricks

ROOT = Path(dlbricks.__file__).parent
PLACEHOLDERS = frozenset({"one", "made", "found", "known", "said", "told", "asked", "given", "kept"})
NEGATIVE_SUBJECTS = ("nobody", "is no ")
UNREVIEWED: set[str] = set()
"""Parts of the package that were not read against this yet; a part that was never comes back."""


def part_of(path: Path) -> str:
    """Return the package of a module, the plug-in, or ``root``."""
    folders = path.relative_to(ROOT).parts[:-1]
    return "/".join(folders[:2] if folders[:1] == ("plugins",) else folders[:1]) or "root"


def findings(path: Path) -> list[str]:
    """Return each place of a module with a placeholder as a name, or with a string of a negative subject."""
    text = path.read_text(encoding="utf-8")
    names = [
        f"{path}:{token.start[0]}: the name '{token.string}' says nothing: use a noun for the thing"
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.NAME and token.string in PLACEHOLDERS
    ]
    sentences = [
        f"{path}:{node.lineno}: '{words.strip()}' in a string: name the subject and what to do"
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        for words in NEGATIVE_SUBJECTS
        if words in node.value.lower()
    ]
    return names + sentences


@pytest.mark.parametrize("path", sorted(ROOT.rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT)))
def test_names_are_nouns_and_sentences_have_subjects(path: Path) -> None:
    """In every module of the parts that were reviewed."""
    if part_of(path) not in UNREVIEWED:
        assert not findings(path)


def test_unreviewed_parts_exist_and_need_it() -> None:
    """The list shrinks with the work."""
    unclean = {part_of(path) for path in ROOT.rglob("*.py") if findings(path)}
    assert unclean == UNREVIEWED
