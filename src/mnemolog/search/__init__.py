"""Search: which observations answer a query, without any model.

One module per paper, pure; `index` follows a graph and brings them together. numpy and rank-bm25
cost 0.15 s to import, so nothing imports this package before the first search.
"""
