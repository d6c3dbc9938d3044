"""Streams, events and threads drawn: what-if and analyses against a machine that runs event by event."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dlbricks.analysis.catalogue import chosen
from dlbricks.profile.open import read_any
from dlbricks.whatif.answer import ask
from dlbricks.whatif.sources import graph_of_files
from dlbricks.whatif.transform import read_step
from dlbricks.whatif.transforms import all_transforms
from tests.whatif.stream_oracle import Call, Machine, programs

KNOWN = all_transforms()


@settings(deadline=None, max_examples=60)
@given(programs(), st.sampled_from((0.5, 2.0)), st.data())
def test_a_changed_kernel_has_the_effect_that_a_machine_shows(
    calls: list[Call], factor: float, data: st.DataObject
) -> None:
    """Within 0.5 %, and the step that is analysed is the same."""
    launches = [number for number, call in enumerate(calls) if call.what == "launch"]
    changed = data.draw(st.sampled_from([*((one,) for one in launches), tuple(launches)]))
    recorded, after = Machine(calls).run(), Machine(calls, dict.fromkeys(changed, factor)).run()
    # a wait for what the other thread records later waits for nothing, and what-if guesses where a trace names no event
    assume(all(call.event in recorded.awaited[at] for at, call in enumerate(calls) if call.what == "wait"))
    with TemporaryDirectory() as folder:
        path = recorded.write(Path(folder) / "trace.json")
        names = "|".join(f"^K{number}$" for number in changed)
        step = read_step(f"scale:{factor},kind=kernel,name={names}", KNOWN)
        answer = ask(graph_of_files([path]), [step]).answer
        table = chosen(["A1"])[0].compute(read_any(path))
    assert answer.before.time_ns == pytest.approx(1000 * recorded.end_us, rel=0.005)
    assert answer.after.time_ns == pytest.approx(1000 * after.end_us, rel=0.005)
    assert table.column("latency_ns").cells == (1000 * recorded.end_us,)
