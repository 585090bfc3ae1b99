"""The clients that start mnemolog: their configs, kept as they are but for the entry of ours."""
