"""The size of images of ``hf:FOLDER`` is stated by its files, never assumed."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dlbricks.errors import InputError
from dlbricks.model.export import image_shape


def configuration(**fields: Any) -> Any:
    """Make a configuration as ``transformers`` reads one."""
    return SimpleNamespace(**fields)


def test_the_configuration_states_the_size_before_all_else(tmp_path: Path) -> None:
    """One number is both edges; models of text and images have a part for images; the default of channels is 3."""
    (tmp_path / "preprocessor_config.json").write_text('{"size": 384}')
    assert image_shape(configuration(image_size=64, num_channels=1), tmp_path) == (1, 64, 64)
    assert image_shape(configuration(image_size=[32, 48]), tmp_path) == (3, 32, 48)
    assert image_shape(configuration(vision_config=configuration(image_size=64)), tmp_path) == (3, 64, 64)


@pytest.mark.parametrize(
    ("preprocessing", "expected"),
    [
        ({"size": 384}, (384, 384)),
        ({"size": {"height": 32, "width": 48}}, (32, 48)),
        ({"size": {"shortest_edge": 256}}, (256, 256)),
        ({"size": {"shortest_edge": 256}, "crop_size": {"height": 224, "width": 224}}, (224, 224)),
        ({"size": 256, "crop_size": 224}, (224, 224)),
    ],
)
def test_else_preprocessing_states_it(preprocessing: Any, expected: tuple[int, int], tmp_path: Path) -> None:
    """Images that are cropped have the size of the crop."""
    (tmp_path / "preprocessor_config.json").write_text(json.dumps(preprocessing))
    assert image_shape(configuration(), tmp_path) == (3, *expected)


@pytest.mark.parametrize("text", [None, "", "[]", "{}", '{"size": null}', '{"size": {"longest_edge": 800}}', "[1"])
def test_an_unknown_size_is_an_error_that_says_what_to_add(text: str | None, tmp_path: Path) -> None:
    """Nothing is assumed where no file states the size, or states it in another way."""
    if text is not None:
        (tmp_path / "preprocessor_config.json").write_text(text)
    with pytest.raises(InputError, match="the size of images is unknown: add image_size"):
        image_shape(configuration(image_size=None), tmp_path)
