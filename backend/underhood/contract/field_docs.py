"""What a lab says of the fields of its events: the string below each, which Python parses and then forgets."""

from __future__ import annotations

import ast
import inspect
import textwrap
from functools import cache


@cache
def field_docs(event: type) -> dict[str, str]:
    """The words below each field of a dataclass, its own and inherited: shape, unit, meaning."""
    said: dict[str, str] = {}
    for base in reversed(event.__mro__[:-1]):
        body = ast.parse(textwrap.dedent(inspect.getsource(base))).body[0]
        assert isinstance(body, ast.ClassDef)
        for field, below in zip(body.body, body.body[1:], strict=False):
            if (
                isinstance(field, ast.AnnAssign)
                and isinstance(field.target, ast.Name)
                and isinstance(below, ast.Expr)
                and isinstance(below.value, ast.Constant)
                and isinstance(below.value.value, str)
            ):
                said[field.target.id] = inspect.cleandoc(below.value.value)
    return said
