from __future__ import annotations

from collections.abc import Iterator

import pytest

from faultlab import Lab


@pytest.fixture(scope="module")
def lab() -> Iterator[Lab]:
    lab = Lab()
    yield lab
    lab.close()
