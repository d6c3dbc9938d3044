"""What several threads need: shares of a product that say how fast all cores are, and buffers touched by everyone."""

import numpy as np
import pytest

from dlbricks.harness.call_timer import Rewriter, ThreadedProduct
from dlbricks.harness.session import SessionSettings


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_each_thread_has_as_many_rows_of_the_product(threads: int) -> None:
    """And it is a product: each element the sum of as many ones as a row has."""
    products = ThreadedProduct(SessionSettings(threads=threads))
    products.run()
    (made,) = products._bound.outputs()
    assert made.size == threads * 32 * 64
    assert set(made.tolist()) == {64.0}


@pytest.mark.parametrize("nbytes", [3, 4, 8, 4096, 1 << 20])
def test_rewriting_reaches_every_word_and_changes_none(nbytes: int) -> None:
    """Shown by adding one instead of nothing; of less than four bytes nothing is touched."""
    rewriter = Rewriter(SessionSettings())
    values = np.random.default_rng(nbytes).integers(0, 256, nbytes, dtype=np.uint8)
    words = values.copy()
    rewriter.rewrite([words])
    assert np.array_equal(words, values)
    rewriter._nothing[:] = 1
    rewriter.rewrite([words])
    whole = nbytes // 4 * 4
    assert np.array_equal(words[:whole].view(np.uint32), values[:whole].view(np.uint32) + np.uint32(1))
    assert np.array_equal(words[whole:], values[whole:])
