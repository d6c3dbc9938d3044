from hypothesis import given
from hypothesis import strategies as st

from dlbricks.model.order import makers_of
from dlbricks.model.types import Model
from dlbricks.plugins.openvino.merging import has_no_circle, without_circles
from tests.construct.made_up import networks


@given(networks(longest=16), st.data())
def test_a_circle_is_found_from_what_was_joined(model: Model, data: st.DataObject) -> None:
    """Groups without a circle that are joined have one exactly if some group would be dropped to break it."""
    makers, count = makers_of(model), len(model.layers)
    numbers = data.draw(st.lists(st.integers(0, count), min_size=count, max_size=count))
    drawn = {number: tuple(at for at, other in enumerate(numbers) if other == number) for number in numbers}
    home = {index: group for group in without_circles(model, makers, [*drawn.values()]) for index in group}
    ends = data.draw(st.lists(st.integers(0, count - 1), min_size=2, max_size=3))
    whole = tuple(sorted({index for end in ends for index in home.get(end, (end,))}))
    joined = {group for group in home.values() if set(whole).isdisjoint(group)} | {whole}
    assert has_no_circle(model, makers, home, whole) == (set(without_circles(model, makers, [*joined])) == joined)
