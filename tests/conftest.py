"""How hypothesis looks for what breaks a promise: without a clock, and in each run the same way."""

from __future__ import annotations

import os

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
