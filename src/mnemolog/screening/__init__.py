"""Warnings about facts as they are saved: each kind is one module, pure, and measured."""
