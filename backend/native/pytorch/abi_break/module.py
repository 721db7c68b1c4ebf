"""The module for Python, twice: with all of its C API, which reads fields of objects, and within the limited one.

An ``int`` of Python 3.12 keeps its sign and the count of its digits in other bits than one of 3.11.
"""

from __future__ import annotations

import ctypes
import re
import sys
import sysconfig
from importlib.machinery import ExtensionFileLoader, FileFinder
from importlib.util import module_from_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from labs.contract import LabError

from native.models.loaded import file_of

if TYPE_CHECKING:
    from native.pytorch.abi_break import Params

HERE = sys.version_info[:2]
NEW_INT = (3, 12)
LIMIT = (3, 11)
NAME = "stats"
RENAMED = f"{NAME}.so"
"""A name that every Python looks for"""
STRUCT = "typedef struct {{\n  PyObject ob_base;\n  {};\n  digit ob_digit[1];\n}} Int;"
COUNT = ("Py_ssize_t ob_size", "uintptr_t lv_tag")
"""The field of an int that has its sign and how many digits it has: by release, up to 3.11 and since then"""
VALUE = ("n->ob_size * d", "(1 - (long)(n->lv_tag & 3)) * d")
CHECK = "int _PyArg_CheckPositional(\n    const char *, Py_ssize_t,\n    Py_ssize_t, Py_ssize_t);"
WITHIN = f"#define Py_LIMITED_API 0x{LIMIT[0]:02x}{LIMIT[1]:02x}0000"
ASKED = "long PyLong_AsLong(PyObject *);\nvoid PyErr_SetString(\n    PyObject *, const char *);"
# What Python has declared as a macro is declared already.
FULL = """#include <Python.h>
#include <stddef.h>
#ifndef _PyArg_CheckPositional
{check}
#endif
{struct}
static long whole(PyObject *of) {{
  Int *n = (Int *)of;
  long d = n->ob_digit[0];
  return {value};
}}
static int two(Py_ssize_t count) {{ return _PyArg_CheckPositional("power", count, 2, 2); }}
#if PY_VERSION_HEX >= 0x030c0000
#define THEIRS long_value.lv_tag
#define DIGITS long_value.ob_digit
#else
#define THEIRS ob_base.ob_size
#define DIGITS ob_digit
#endif
const int layout[] = {{offsetof(Int, {count}), 8, offsetof(Int, ob_digit), sizeof(digit)}};
const int layout_of_python[] = {{offsetof(PyLongObject, THEIRS), 8, offsetof(PyLongObject, DIGITS), sizeof(digit)}};
"""
LIMITED = """{within}
#include <Python.h>
static long whole(PyObject *of) {{ return PyLong_AsLong(of); }}
static int two(Py_ssize_t count) {{
  if (count != 2) PyErr_SetString(PyExc_TypeError, "power takes two");
  return count == 2;
}}
"""
BODY = """
static PyObject *power(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  if (!two(count)) return NULL;
  double x = PyFloat_AsDouble(args[0]), r = 1;
  long n = whole(args[1]);
  for (unsigned long e = n < 0 ? -n : n; e; e >>= 1, x *= x) if (e & 1) r *= x;
  return PyFloat_FromDouble(n < 0 ? 1 / r : r);
}
static PyMethodDef methods[] = {{"power", (PyCFunction)(void (*)(void))power, METH_FASTCALL, NULL}, {0}};
static PyModuleDef stats = {PyModuleDef_HEAD_INIT, "stats", NULL, -1, methods};
PyMODINIT_FUNC PyInit_stats(void) { return PyModule_Create(&stats); }
"""


def release(of: tuple[int, int]) -> int:
    """Which of the two layouts a Python has."""
    return int(of >= NEW_INT)


def built_for(params: Params) -> tuple[int, int]:
    """The Python whose headers say what an int is: this one, or the nearest with the other layout."""
    return HERE if params.rebuilt else ((3, 11) if release(HERE) else NEW_INT)


def header(params: Params, of: tuple[int, int]) -> str:
    if params.interface == "stable":
        return ASKED
    return f"{STRUCT.format(COUNT[release(of)])}\n{CHECK}"


def text(params: Params) -> str:
    if params.interface == "stable":
        return LIMITED.format(within=WITHIN) + BODY
    at = release(built_for(params))
    count = COUNT[at].split()[-1]
    return FULL.format(check=CHECK, struct=STRUCT.format(COUNT[at]), value=VALUE[at], count=count) + BODY


def file(params: Params) -> str:
    """As the importer of the Python that it is built for looks for it."""
    if params.interface == "stable":
        return f"{NAME}.abi3.so"
    return NAME + suffix(built_for(params))


def suffix(of: tuple[int, int]) -> str:
    own = sysconfig.get_config_var("EXT_SUFFIX")
    return str(own).replace(f"-{HERE[0]}{HERE[1]}", f"-{of[0]}{of[1]}")


def include() -> Path:
    """Raises ``LabError`` if Python's headers are not here."""
    folder = Path(sysconfig.get_path("include"))
    if not (folder / "Python.h").exists():
        raise LabError(
            f"A module is compiled with Python.h, which this server lacks: install python{HERE[0]}.{HERE[1]}-dev."
        )
    return folder


def library() -> Path:
    """The file that has Python's own functions: a library, or the program itself."""
    path = file_of(ctypes.cast(ctypes.pythonapi.Py_IncRef, ctypes.c_void_p))
    if path is None:
        raise RuntimeError("the loader does not know where Python lies")
    return path if path.is_absolute() else Path(sys.executable).resolve()


def imported(folder: Path, suffixes: list[str]) -> ModuleType | None:
    """As an importer that looks for files with these suffixes does it; None if it finds none."""
    spec = FileFinder(str(folder), (ExtensionFileLoader, suffixes)).find_spec(NAME)
    if spec is None or spec.loader is None:
        return None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def words(preprocessed: str) -> set[str]:
    """What a header declares, among much else."""
    return set(re.findall(r"\b_?Py\w+", preprocessed))
