"""The C++ of an extension: one operator, its kernel, and the lines that register it with torch.

It calls torch through the C functions that libtorch_cpu.so exports for programs compiled elsewhere
(torch/csrc/inductor/aoti_torch/c/shim.h, 2.13), so a compiler with another C++ library than torch's may build it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from native.pytorch.cpp_extension import Params

FILE = "extension.cpp"
SHIM = "#include <torch/csrc/inductor/aoti_torch/c/shim.h>\n"
DECLARED = """#include <stdint.h>
typedef struct TensorOpaque *AtenTensorHandle;
typedef struct LibraryOpaque *TorchLibraryHandle;
typedef uint64_t StableIValue;
extern "C" {
int32_t aoti_torch_dtype_float32(), aoti_torch_device_type_cpu();
int32_t aoti_torch_get_dim(AtenTensorHandle, int64_t *);
int32_t aoti_torch_get_numel(AtenTensorHandle, int64_t *);
int32_t aoti_torch_get_sizes(AtenTensorHandle, int64_t **);
int32_t aoti_torch_get_dtype(AtenTensorHandle, int32_t *);
int32_t aoti_torch_get_data_ptr(AtenTensorHandle, void **);
int32_t aoti_torch_is_contiguous(AtenTensorHandle, bool *);
int32_t aoti_torch_empty_strided(int64_t, const int64_t *, const int64_t *, int32_t, int32_t, int32_t,
                                 AtenTensorHandle *);
int32_t aoti_torch_delete_tensor_object(AtenTensorHandle);
void aoti_torch_check(bool, const char *, const char *, uint32_t, const char *);
int32_t aoti_torch_library_init_def(const char *, const char *, uint32_t, TorchLibraryHandle *);
int32_t aoti_torch_library_init_impl(const char *, const char *, const char *, uint32_t, TorchLibraryHandle *);
int32_t aoti_torch_library_def(TorchLibraryHandle, const char *);
int32_t aoti_torch_library_impl(TorchLibraryHandle, const char *, void (*)(StableIValue *, uint64_t, uint64_t));
}
"""
HEADERS = {
    "declarations of our own": DECLARED,
    "the C shim": SHIM,
    "torch/csrc/stable/library.h": "#include <torch/csrc/stable/library.h>\n#include <torch/csrc/stable/ops.h>\n",
    "torch/extension.h": "#include <torch/extension.h>\n",
}

LOOPS = {
    "scale_add": "  for (int64_t i = 0; i < n; i++) z[i] = a * x[i] + y[i];",
    "relu_squared": "  for (int64_t i = 0; i < n; i++) z[i] = x[i] > 0 ? x[i] * x[i] : 0;",
    "sum_squares": "  double sum = 0;\n  for (int64_t i = 0; i < n; i++) sum += x[i] * x[i];\n  *z = sum;",
}
TAKES = {"scale_add": ("x", "y"), "relu_squared": ("x",), "sum_squares": ("x",)}
PRODUCT = {"scale_add": "a * x[i]", "relu_squared": "x[i] * x[i]", "sum_squares": "x[i] * x[i]"}


def schema(op: str, name: str) -> str:
    tensors = ", ".join(f"Tensor {each}" for each in TAKES[op])
    return f"{name}({tensors}{', float a' if op == 'scale_add' else ''}) -> Tensor"


def text(params: Params) -> str:
    """The whole file."""
    head = SHIM if params.headers == "the C shim" else DECLARED
    return head + body(params)


def body(params: Params) -> str:
    """The file without its headers."""
    op, takes = params.op, TAKES[params.op]
    loop = LOOPS[op]
    missing = ""
    if params.undefined:
        missing = "float times(float, float);  // in a file that nobody compiles\n\n"
        loop = loop.replace(PRODUCT[op], f"times({PRODUCT[op].replace(' *', ',')})")
    key = "CUDA" if params.wrong_key else "CPU"
    checks = "".join(_check(each, params) for each in takes)
    ends = "\n".join(f"  aoti_torch_delete_tensor_object({each});" for each in takes)
    scalar = "  double a;\n  __builtin_memcpy(&a, stack + 2, sizeof a);\n" if op == "scale_add" else ""
    whole = op == "sum_squares"
    return f"""
using Tensor = AtenTensorHandle;

{missing}void loop(const float *x, const float *y, float a, float *z, int64_t n) {{
{loop}
}}

static float *data(Tensor t) {{
  void *at;
  aoti_torch_get_data_ptr(t, &at);
  return (float *)at;
}}

static void need(bool holds, const char *what) {{
  if (!holds) aoti_torch_check(false, "{op}", "{FILE}", 0, what);  // throws
}}

Tensor result_for(Tensor x) {{
  int64_t dim, *sizes, strides[64], step = 1;
  aoti_torch_get_dim(x, &dim);
  aoti_torch_get_sizes(x, &sizes);
{"  dim = 0;  // one number" if whole else "  for (int64_t d = dim; d--; step *= sizes[d]) strides[d] = step;"}
  Tensor z;
  aoti_torch_empty_strided(dim, sizes, strides, aoti_torch_dtype_float32(),
                           aoti_torch_device_type_cpu(), 0, &z);
  return z;
}}

void {op}(StableIValue *stack, uint64_t, uint64_t) {{
{"".join(f"  Tensor {name} = (Tensor)stack[{at}];{chr(10)}" for at, name in enumerate(takes))}{scalar}{checks}\
{_same_shape(op)}\
  int64_t n;
  aoti_torch_get_numel({"x" if params.argument else "x, &n"});
  Tensor z = result_for(x);
  loop(data(x), data({takes[-1]}), {"a" if scalar else "0"}, data(z), n);
{ends}
  stack[0] = (StableIValue)z;
}}

void nothing(StableIValue *stack, uint64_t, uint64_t) {{  // for the stopwatch: hands x back
{"  aoti_torch_delete_tensor_object((Tensor)stack[1]);" if len(takes) > 1 else "  (void)stack;"}
}}

static struct Register {{
  TorchLibraryHandle schemas, kernels, others;
  Register() {{  // runs while the library is loaded
    aoti_torch_library_init_def("underhood", "{FILE}", __LINE__, &schemas);
    aoti_torch_library_def(schemas, "{schema(op, op)}");
    aoti_torch_library_def(schemas, "{schema(op, "nothing")}");
    aoti_torch_library_init_impl("underhood", "{key}", "{FILE}", __LINE__, &kernels);
    aoti_torch_library_impl(kernels, "{op}", {op});
    aoti_torch_library_init_impl("underhood", "CPU", "{FILE}", __LINE__, &others);
    aoti_torch_library_impl(others, "nothing", nothing);
  }}
}} registers;

extern "C" void loops(int rounds, const float *x, const float *y, float a, float *z, int64_t n) {{
  for (; rounds--;) {{
    loop(x, y, a, z, n);
    __asm__ volatile("" : : "r"(z) : "memory");  // somebody reads each result
  }}
}}

extern "C" void results(int rounds, const float *like, int64_t n) {{
  int64_t one = 1, size = {"1" if whole else "n"};
  for (; rounds--;) {{
    Tensor z;
    aoti_torch_empty_strided(1, &size, &one, aoti_torch_dtype_float32(), aoti_torch_device_type_cpu(), 0, &z);
    aoti_torch_delete_tensor_object(z);
  }}
}}
"""


def _check(name: str, params: Params) -> str:
    made = ""
    if not params.unchecked_type:
        made += f"""  int32_t type_{name};
  aoti_torch_get_dtype({name}, &type_{name});
  need(type_{name} == aoti_torch_dtype_float32(), "{name} must be float32");
"""
    if not params.unchecked_strides:
        made += f"""  bool dense_{name};
  aoti_torch_is_contiguous({name}, &dense_{name});
  need(dense_{name}, "{name} must be contiguous");
"""
    return made


def _same_shape(op: str) -> str:
    if op != "scale_add":
        return ""
    return """  int64_t size_x, size_y;
  aoti_torch_get_numel(x, &size_x);
  aoti_torch_get_numel(y, &size_y);
  need(size_x == size_y, "x and y must be of one size");
"""
