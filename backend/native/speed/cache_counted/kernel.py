"""The loops of wasm/kernels/orders.c, without vectors: those would touch several elements at once."""

from __future__ import annotations

from native.models.kernel import LIBRARY, Kernel

ORDERS = Kernel("orders.c", ("-O3", "-mcpu=native", "-fno-vectorize", "-fno-slp-vectorize", *LIBRARY))
