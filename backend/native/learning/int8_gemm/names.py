"""What is compared, by name; here, apart from torch, which only a run may load."""

VECTORS = ("float32 × vector", "int8 × vector", "int4 × vector")
SQUARES = ("float32", "int8, exact", "int8, in pairs", "int8, torch", "int8, _int_mm")
