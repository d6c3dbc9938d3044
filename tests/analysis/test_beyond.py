import pytest

from dlbricks.analysis.catalogue import chosen
from dlbricks.analysis.table import Table
from dlbricks.profile.types import Profile
from tests.analysis.made_up import L, cells, costs, made_up


def table(name: str, profile: Profile) -> Table:
    """Make one table."""
    return chosen([name])[0].compute(profile)


def test_stages_add_up_to_the_network() -> None:
    """Every layer is in one third; time, flops and bytes are those of its layers."""
    shown = table("stages", made_up([L(name=f"l{at}", ns=10 * at, attributes=costs(at, at, 1)) for at in range(1, 7)]))
    assert cells(shown, "stage") == ("begin", "middle", "end")
    assert cells(shown, "layers") == (2, 2, 2)
    assert cells(shown, "latency_ns") == (30, 70, 110)
    assert cells(shown, "flops") == (3, 7, 11)
    assert cells(shown, "moved_bytes") == (5, 9, 13)
    assert cells(shown, "memory_bytes") == (None, None, None)


def test_headroom_is_time_above_the_roof() -> None:
    """Equal layers are one row; the row with most time to gain is first; shares are of all layers."""
    heavy, light = costs(40_000, 100, 100), costs(0, 500, 500)
    layers = [L(name="a", attributes=heavy), L(name="b", type="Relu", attributes=light), L(name="c", attributes=heavy)]
    shown = table("headroom", made_up(layers))
    assert cells(shown, "type") == ("Conv", "Relu")
    assert cells(shown, "count") == (2, 1)
    assert cells(shown, "least_ns") == (80, 10)
    assert cells(shown, "headroom_ns") == (120, 90)
    assert cells(shown, "headroom_percent") == (pytest.approx(40), pytest.approx(30))
    assert cells(shown, "memory_bound") == (False, True)
    assert cells(shown, "example") == ("a", "b")


def test_headroom_needs_roofs_and_costs() -> None:
    """Without either it says which is missing."""
    assert "roofs" in table("headroom", made_up([L(name="a", attributes=costs(1, 1, 1))], roofs=None)).unavailable
    assert "flops" in table("headroom", made_up([L(name="a")])).unavailable


def test_memory_over_time_is_told_or_added_up() -> None:
    """What the allocator holds where it is told, else the sum of allocations; live bytes beside it with their peak."""
    told = [
        L(name=f"l{at}", attributes={"memory_bytes": size, "live_bytes": size // 2})
        for at, size in enumerate((8, 6, 9))
    ]
    shown = table("memory", made_up(told))
    assert cells(shown, "in_use_bytes") == (8, 6, 9)
    assert cells(shown, "peak_live_bytes") == (4, 4, 4)
    assert cells(shown, "time_ns") == (110, 220, 330)
    added = [L(name=f"l{at}", attributes={"allocated_bytes": size}) for at, size in enumerate((8, -6, 1))]
    assert cells(table("memory", made_up(added)), "in_use_bytes") == (8, 2, 3)
    assert "none was recorded" in table("memory", made_up([L(name="a")])).unavailable
