/* Ten loops. One of the flags behind -ffast-math makes each of them faster, or changes what it returns. They are
   compiled once as IEEE 754 demands, and once with each flag by itself. */
#include <errno.h>
#include <fenv.h>
#include <math.h>
#include <stddef.h>

/* `n` numbers `x` and `w` are read, one or `n` numbers `y` are written; not inlined, for a name in the assembly. */
#define LOOP(name) \
  __attribute__((noinline)) void name(size_t n, const float *restrict x, const float *restrict w, float *restrict y)

LOOP(sum) {
  float s = 0;
  for (size_t i = 0; i < n; i++) s += x[i];
  y[0] = s;
}

LOOP(kahan) {
  float s = 0, lost = 0;
  for (size_t i = 0; i < n; i++) {
    float more = x[i] - lost;
    float next = s + more;
    lost = (next - s) - more;
    s = next;
  }
  y[0] = s;
}

LOOP(nans) {
  float found = 0;
  for (size_t i = 0; i < n; i++) found += x[i] != x[i];
  y[0] = found;
}

LOOP(plus_zero) {
  for (size_t i = 0; i < n; i++) y[i] = x[i] + 0.0f;
}

LOOP(root) {
  for (size_t i = 0; i < n; i++) y[i] = sqrtf(x[i]);
}

LOOP(divide) {
  float by = w[0];
  for (size_t i = 0; i < n; i++) y[i] = x[i] / by;
}

LOOP(guarded) {
  for (size_t i = 0; i < n; i++) y[i] = x[i] > 0 ? 1 / x[i] : 0;
}

LOOP(determinant) {
  for (size_t i = 0; i < n; i++) y[i] = x[i] * x[n - 1 - i] - w[i] * w[n - 1 - i];
}

LOOP(power) {
  for (size_t i = 0; i < n; i++) y[i] = powf(x[i], 2.5f);
}

LOOP(halve) {
  for (size_t i = 0; i < n; i++) y[i] = x[i] * 0.5f;
}

static void (*const loops[])(size_t, const float *restrict, const float *restrict, float *restrict) = {
    sum, kahan, nans, plus_zero, root, divide, guarded, determinant, power, halve};

/* Otherwise a compiler leaves out all rounds but one: it has to assume that somebody reads what is in between. */
static void touch(float *y) { __asm__ volatile("" : : "r"(y) : "memory"); }

void repeat(int code, int rounds, size_t n, const float *x, const float *w, float *y) {
  for (; rounds--; touch(y)) loops[code](n, x, w, y);
}

/* One round, and what it leaves behind besides its numbers: errno, and above it the exceptions that it raised. */
int once(int code, size_t n, const float *x, const float *w, float *y) {
  errno = 0;
  feclearexcept(FE_ALL_EXCEPT);
  loops[code](n, x, w, y);
  touch(y);
  int raised = (fetestexcept(FE_INVALID) ? 1 : 0) | (fetestexcept(FE_DIVBYZERO) ? 2 : 0);
  return raised << 16 | errno;
}

/* Denormals become zero for the thread that calls, as results (FTZ) and as operands (DAZ), until it says otherwise. */
void flush(int on) {
#if defined(__x86_64__)
  const unsigned both = 0x8040;
  unsigned is = __builtin_ia32_stmxcsr();
  __builtin_ia32_ldmxcsr(on ? is | both : is & ~both);
#elif defined(__aarch64__)
  const unsigned long zeroed = 1ul << 24;
  unsigned long is;
  __asm__ volatile("mrs %0, fpcr" : "=r"(is));
  __asm__ volatile("msr fpcr, %0" : : "r"(on ? is | zeroed : is & ~zeroed));
#else
#error "flush knows x86-64 and AArch64"
#endif
}
