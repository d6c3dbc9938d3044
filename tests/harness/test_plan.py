"""Planning: every benchmark once, no more alive at a time than memory and threads bear."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from dlbricks.harness.run.loading import GROUP_SIZE, MEMORY_SHARE, batches, estimated_bytes


def suite(sizes: list[int]) -> list[dict[str, Any]]:
    """Give benchmarks with weights of so many MiB."""
    return [
        {"fingerprint": str(index), "weight_bytes": size << 20, "activation_bytes": 1000, "layers": 1 + index % 2}
        for index, size in enumerate(sizes)
    ]


@given(
    st.lists(st.integers(0, 500), max_size=300),
    st.one_of(st.none(), st.integers(1, 64)),
    st.integers(1, 16),
    st.integers(1, 4),
    st.one_of(st.none(), st.integers(1, 8)),
)
def test_every_benchmark_is_planned_once(
    sizes: list[int], gib: int | None, threads: int, workers: int, worker_gib: int | None
) -> None:
    """In groups that are not too long; batches respect order, and memory unless one benchmark alone exceeds it."""
    benchmarks = suite(sizes)
    limit = None if worker_gib is None else worker_gib << 30
    made = batches(benchmarks, gib and gib << 30, threads=threads, workers=workers, worker_bytes=limit)
    numbers = [sorted(int(one["fingerprint"]) for group in batch for one in group) for batch in made]
    assert [number for batch in numbers for number in batch] == list(range(len(sizes)))
    for batch in made:
        assert all(0 < len(group) <= GROUP_SIZE for group in batch)
        total = sum(estimated_bytes(one) for group in batch for one in group)
        assert gib is None or total <= MEMORY_SHARE * (gib << 30) or sum(map(len, batch)) == 1
        assert threads == 1 or (threads - 1) * sum(map(len, batch)) <= 4000
        for group in batch:
            assert limit is None or sum(map(estimated_bytes, group)) <= limit or len(group) == 1


def test_a_large_suite_is_one_batch_when_it_fits() -> None:
    """So that all benchmarks are interleaved with all others."""
    made = batches(suite([1] * 3000), 64 << 30, workers=2)
    assert len(made) == 1
    assert [len(group) for group in made[0]] == [750] * 4


def test_a_worker_whose_sessions_share_threads_has_them_all() -> None:
    """Its threads are awake for a while after a call: another worker's next call would meet them."""
    assert [
        len(group) for group in batches(suite([1] * 3000), 64 << 30, threads=2, workers=1, shared_pool=True)[0]
    ] == [3000]


def test_what_comes_first_is_loaded_first() -> None:
    """Groups that are loaded at the same time are dealt out in turn, each in the order given."""
    made = batches(suite([1] * 2000), None, workers=2)[0]
    assert [int(one["fingerprint"]) for one in made[0][:3]] == [0, 2, 4]
    assert [int(one["fingerprint"]) for one in made[1][:3]] == [1, 3, 5]
    assert all(int(one["fingerprint"]) < 2 * GROUP_SIZE for group in made[:2] for one in group)
