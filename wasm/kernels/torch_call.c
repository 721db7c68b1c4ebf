/* What is left of a call of torch's add, mul or abs when Python, the dispatcher and autograd are taken away: its own
   kernel, by the C functions that libtorch exports for compiled programs; the memory alone; the arithmetic alone. The
   functions are handed in, so that nothing here is linked against torch. */
#include <stddef.h>
#include <stdint.h>

typedef void *Tensor;
typedef int32_t (*Add)(Tensor, Tensor, double, Tensor *);
typedef int32_t (*Mul)(Tensor, Tensor, Tensor *);
typedef int32_t (*Abs)(Tensor, Tensor *);
typedef int32_t (*Empty)(int64_t, const int64_t *, const int64_t *, int32_t, int32_t, int32_t, Tensor *);
typedef int32_t (*Data)(Tensor, void **);
typedef int32_t (*Delete)(Tensor);

enum { ADD, MUL, ABS };
enum { PAGE = 4096 };

/* `rounds` results, made and thrown away. Returns 0, or what torch says went wrong. */
int32_t call(int op, int rounds, void *function, Tensor x, Tensor y, Delete drop) {
  for (; rounds--;) {
    Tensor made;
    int32_t wrong = op == ADD   ? ((Add)function)(x, y, 1.0, &made)
                    : op == MUL ? ((Mul)function)(x, y, &made)
                                : ((Abs)function)(x, &made);
    if (wrong || (wrong = drop(made))) return wrong;
  }
  return 0;
}

/* The result's memory alone: a tensor of n numbers is made, and the first number of each of its pages written. */
int32_t memory(int rounds, int64_t n, int32_t dtype, int32_t device, Empty empty, Data data, Delete drop) {
  const int64_t stride = 1;
  for (; rounds--;) {
    Tensor made;
    void *at;
    int32_t wrong = empty(1, &n, &stride, dtype, device, 0, &made);
    if (wrong || (wrong = data(made, &at))) return wrong;
    for (size_t i = 0; i < (size_t)n * sizeof(float); i += PAGE) *(volatile float *)((char *)at + i) = 0;
    if ((wrong = drop(made))) return wrong;
  }
  return 0;
}

/* Otherwise a compiler leaves out all rounds but one: it has to assume that somebody reads each result. */
static void touch(float *z) { __asm__ volatile("" : : "r"(z) : "memory"); }

/* The arithmetic alone, from and to memory that is there already. */
void work(int op, int rounds, size_t n, const float *restrict x, const float *restrict y, float *restrict z) {
  for (; rounds--; touch(z)) {
    if (op == ADD)
      for (size_t i = 0; i < n; i++) z[i] = x[i] + y[i];
    else if (op == MUL)
      for (size_t i = 0; i < n; i++) z[i] = x[i] * y[i];
    else
      for (size_t i = 0; i < n; i++) z[i] = __builtin_fabsf(x[i]);
  }
}
