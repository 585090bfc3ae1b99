"""`python -m mnemolog` is the mnemolog command."""

from mnemolog.cli import main

main()
