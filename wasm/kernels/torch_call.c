/* What is left of a call of torch's add, mul or neg when Python is taken away, then the dispatcher, then the result's
   memory: torch's own C++ functions, called in a loop, and the arithmetic alone.

   The functions are handed in, so that nothing here is linked against torch. To C a reference of C++ is a pointer. A
   Tensor that a function returns is written where a hidden argument points, which a C compiler passes for any struct
   that is too large for registers. An argument more than a function takes stays in its register, unread. */
#include <stddef.h>
#include <stdint.h>

typedef const void *Given; /* const Tensor &, const Scalar &, Tensor & */
typedef struct {
  void *tensor, *more[7];
} Returned;
typedef Returned (*New)(Given, Given, Given);
typedef void *(*Old)(Given, Given, Given, Given);
typedef void **(*Make)(size_t);
typedef int32_t (*Drop)(void **);

enum { ADD, MUL, NEG };

/* c10::Scalar, which holds the whole number 1: the alpha of x + alpha * y. */
static const _Alignas(16) struct {
  int32_t tag, unused[3];
  int64_t number, half;
} ALPHA = {1, {0}, 1, 0};

Given alpha(void) { return &ALPHA; }

/* `rounds` results, made and thrown away. Each Tensor is put on the heap, since torch's C function that drops one frees
   it there. Returns 0, or what that function answers. */
int32_t results(int rounds, New function, Given a, Given b, Given c, Make make, Drop drop) {
  for (; rounds--;) {
    void **result = make(sizeof *result);
    *result = function(a, b, c).tensor;
    int32_t wrong = drop(result);
    if (wrong) return wrong;
  }
  return 0;
}

/* The same where no tensor is made: the function is given one for its result, or has a truth value for it. */
void calls(int rounds, Old function, Given a, Given b, Given c, Given d) {
  for (; rounds--;) function(a, b, c, d);
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
      for (size_t i = 0; i < n; i++) z[i] = -x[i];
  }
}
