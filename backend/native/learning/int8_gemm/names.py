"""What is compared, by name, and what processor and GPU share; apart from torch, which only a run may load."""

VECTORS = ("float32 × vector", "int8 × vector", "int4 × vector")
SQUARES = ("float32", "int8, exact", "int8, in pairs", "int8, torch", "int8, _int_mm")
GPU_VECTORS = ("float32 × vector", "bfloat16 × vector", "int8 × vector", "int4 × vector")
GPU_SQUARES = ("float32", "bfloat16", "int8, exact", "int8, _int_mm")
PATIENCE = 0.25  # seconds for all repetitions of a point, as far as one round allows


def three(value: float) -> float:
    """As a sentence says it: with three digits."""
    return float(f"{value:.3g}")
