"""Search: which observations answer a query, without any model.

One module per paper, pure; `index` follows a graph and brings them together. numpy and rank-bm25
cost 0.15 s to import, so nothing imports this package before the first search.
"""

from __future__ import annotations

import os

# numpy starts a thread for each processor when it is imported, for algebra that nothing here does.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
