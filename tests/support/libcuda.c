// Stands for the driver's library: knows how a program asks for its functions, and keeps what a launch was given.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

struct launched {
  void *kernel, *stream;
  unsigned blocks[3], threads[3], shared;
  int n, count;
  float by;
  void *to;
  size_t image;
} launched;

static int here; /* a kernel has to be somewhere */

int cuGetProcAddress_v2(const char *name, void **found, int version, unsigned long flags, void *status) {
  void *self = dlopen(NULL, RTLD_LAZY), *mine = NULL;
  Dl_info info;
  if (dladdr(&launched, &info)) mine = dlopen(info.dli_fname, RTLD_LAZY);
  *found = dlsym(mine ? mine : self, name);
  return *found ? 0 : 500; /* CUDA_ERROR_NOT_FOUND */
}

int cuDriverGetVersion(int *version) { return *version = 13000, 0; }

int cuModuleLoadData(void **module, const void *image) {
  launched.image = strlen(image);
  return *module = &here, 0;
}

int cuModuleGetFunction(void **function, void *module, const char *name) {
  if (module != &here || strcmp(name, "peak")) return 500;
  return *function = &here, 0;
}

/* For kernels that take an int, a float and an address, as `peak` does. */
int cuLaunchKernel(void *kernel, unsigned a, unsigned b, unsigned c, unsigned x, unsigned y, unsigned z, unsigned shared,
                   void *stream, void **with, void **extra) {
  launched.kernel = kernel, launched.stream = stream, launched.shared = shared, launched.count++;
  memcpy(launched.blocks, (unsigned[]){a, b, c}, sizeof launched.blocks);
  memcpy(launched.threads, (unsigned[]){x, y, z}, sizeof launched.threads);
  launched.n = *(int *)with[0], launched.by = *(float *)with[1], launched.to = *(void **)with[2];
  return kernel == &here && !extra ? 0 : 1;
}
