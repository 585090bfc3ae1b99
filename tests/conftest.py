"""How tests run: hypothesis without a clock and the same way each time, clients on asyncio."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

_IS_SOAK = os.environ.get("MNEMOLOG_SOAK") == "1"

settings.register_profile(
    "mnemolog",
    deadline=None,  # the machine may be busy
    derandomize=not _IS_SOAK,
    max_examples=3000 if _IS_SOAK else 100,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("mnemolog")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
