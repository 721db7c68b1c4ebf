/* Kernels of an extension, called on the memory of a tensor: y = 2x + 1 for n numbers, and the sum of each row.
   NVRTC compiles them where they run, and a C++ compiler for a machine without a GPU (extension_on_a_processor.cc).

   scale_shift   a thread for each number
   strided       a grid-stride loop: a thread takes every number that is a whole grid further on
   row_sum       a block of threads for each row

   With -DUNGUARDED no kernel asks whether its number exists.                                                       */

#define KERNEL extern "C" __global__ void
#ifndef READ
#define READ const float *
#define WRITE float *
#endif
#ifdef UNGUARDED
#define GUARD(inside)
#else
#define GUARD(inside) if (inside)
#endif

KERNEL scale_shift(int n, READ x, WRITE y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  GUARD(i < n)
    y[i] = 2 * x[i] + 1;
}

KERNEL strided(int n, READ x, WRITE y) {
  int stride = gridDim.x * blockDim.x;
  for (int from = 0; from < n; from += stride) {
    int i = from + blockIdx.x * blockDim.x + threadIdx.x;
    GUARD(i < n)
      y[i] = 2 * x[i] + 1;
  }
}

KERNEL row_sum(int n, READ x, WRITE y) { /* rows of n numbers, at most 1,024 threads */
  __shared__ float partial[1024];
  int t = threadIdx.x;
  float sum = 0;
  for (int from = 0; from < n; from += blockDim.x) {
    int i = from + t;
    GUARD(i < n)
      sum += x[(int)blockIdx.x * n + i];
  }
  partial[t] = sum;
  for (int width = blockDim.x; width > 1; width = (width + 1) / 2) {
    int half = (width + 1) / 2;
    __syncthreads(); /* all sums are there */
    if (t + half < width)
      partial[t] += partial[t + half];
  }
  if (t == 0)
    y[blockIdx.x] = partial[0];
}
