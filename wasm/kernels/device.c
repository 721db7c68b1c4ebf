/* What speed/matmul_device runs in a browser: the products and the peak, as one module of WebAssembly. */
#include "matmul.c"
#include "peak.c"
