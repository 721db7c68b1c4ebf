"""Fields on a ring of length 1 that change in time: u_t + u u_x = ν u_xx (Burgers) and u_t = ν u_xx (heat)."""

from typing import Literal

Equation = Literal["burgers", "heat"]
