/* C = A B where C is small and K is long, as split_k.cu has it for a GPU: the sum over K is cut into slices, and each
   member of a team (team.c) takes the next one when it is free. The last one adds up what the others left.

     python -m ziglang cc -O3 -mcpu=native -shared -fPIC -o split_k.so split_k.c

   A is rows x k and B is k x columns, row by row; rows and columns are multiples of 16, at most MOST, and k one of DEEP. */
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

enum { DEEP = 32, BLOCK = 128, MOST = 64, ARRIVAL = 0, STAMPS = 4 };
enum { LANES = 16 }; /* floats of a row of B at a time: a register or several */
#ifdef __AVX512F__
enum { HIGH = 8 };
#else
enum { HIGH = 4 };
#endif
typedef long long whole;
typedef float vec __attribute__((vector_size(4 * LANES)));
typedef vec unaligned __attribute__((aligned(4), may_alias));
typedef uint16_t halves __attribute__((vector_size(2 * LANES), aligned(2), may_alias));
typedef uint32_t words __attribute__((vector_size(4 * LANES)));

struct shape {
  whole rows, columns, k, splits, group, bf16, relu, traced;
};

static _Thread_local int me;
static atomic_int known;

static whole now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return at.tv_sec * 1000000000ll + at.tv_nsec;
}

static float widened(uint16_t half) {
  union {
    uint32_t bits;
    float value;
  } it = {(uint32_t)half << 16};
  return it.value;
}
static vec row_of(const float *at) { return *(const unaligned *)at; }
static vec row_of_halves(const uint16_t *at) {
  return (vec)(__builtin_convertvector(*(const halves *)at, words) << 16);
}
static float same(float value) { return value; }

/* sum [rows * columns] += A B over [from, to). A block of K at a time, so that what is read of A and B stays in the
   nearest cache; a tile of HIGH x LANES numbers of C at a time stays in registers. */
#define PRODUCT(name, number, one, sixteen)                                                                            \
  static void name(const struct shape *it, const number *a, const number *b, whole from, whole to, float *sum) {       \
    for (whole start = from; start < to; start += BLOCK) {                                                             \
      whole stop = start + BLOCK < to ? start + BLOCK : to;                                                            \
      for (whole j = 0; j < it->columns; j += LANES)                                                                   \
        for (whole i = 0; i < it->rows; i += HIGH) {                                                                   \
          vec tile[HIGH];                                                                                              \
          for (int h = 0; h < HIGH; h++)                                                                               \
            tile[h] = row_of(sum + (i + h) * it->columns + j);                                                         \
          for (whole k = start; k < stop; k++) {                                                                       \
            vec right = sixteen(b + k * it->columns + j);                                                              \
            for (int h = 0; h < HIGH; h++)                                                                             \
              tile[h] += one(a[(i + h) * it->k + k]) * right;                                                          \
          }                                                                                                            \
          for (int h = 0; h < HIGH; h++)                                                                               \
            *(unaligned *)(sum + (i + h) * it->columns + j) = tile[h];                                                 \
        }                                                                                                              \
    }                                                                                                                  \
  }
PRODUCT(of_floats, float, same, row_of)
PRODUCT(of_halves, uint16_t, widened, row_of_halves)

static void write(const struct shape *it, const float *sum, void *c) {
  for (whole i = 0; i < it->rows * it->columns; i++) {
    float value = it->relu && !(sum[i] > 0) ? 0 : sum[i];
    if (it->bf16) { /* to the nearest, ties to even */
      union {
        float value;
        uint32_t bits;
      } all = {value};
      ((uint16_t *)c)[i] = (uint16_t)((all.bits + 0x7fff + (all.bits >> 16 & 1)) >> 16);
    } else
      ((float *)c)[i] = value;
  }
}

static void add(float *sum, const float *more, whole cells) {
  for (whole i = 0; i < cells; i++)
    sum[i] += more[i];
}

static int last_of(whole many, atomic_int *counter) {
  int last = atomic_fetch_add(counter, 1) == many - 1;
  if (last)
    *counter = 0;
  return last;
}

/* `buffers`: the shape, A, B, `splits` partial sums and one more, counters of the groups and two more that are all 0, C,
   and STAMPS numbers for each slice: who did it, and in nanoseconds its start, the end of its product and its end. */
void split_k(void **buffers, whole from, whole to, whole slice) {
  const struct shape *it = buffers[0];
  whole cells = it->rows * it->columns, splits = it->splits, group = it->group;
  float *partial = buffers[3], *mine = partial + slice * cells;
  atomic_int *finished = buffers[4];
  whole *stamps = (whole *)buffers[6] + slice * STAMPS;
  if (it->traced) {
    if (!me)
      me = ++known;
    stamps[0] = me, stamps[1] = now();
  }
  memset(mine, 0, cells * sizeof *mine);
  (it->bf16 ? (void (*)(const struct shape *, const void *, const void *, whole, whole, float *))of_halves
            : (void (*)(const struct shape *, const void *, const void *, whole, whole, float *))of_floats)(
      it, buffers[1], buffers[2], from * DEEP, to * DEEP, mine);
  if (it->traced)
    stamps[2] = now();
  if (splits == 1)
    write(it, mine, buffers[5]);
  else if (group == ARRIVAL) { /* one at a time, in the order of the clock */
    float *all = partial + splits * cells;
    atomic_int *lock = finished + 1;
    while (atomic_exchange(lock, 1))
      ;
    if (*finished == 0)
      memcpy(all, mine, cells * sizeof *all);
    else
      add(all, mine, cells);
    if (last_of(splits, finished))
      write(it, all, buffers[5]);
    *lock = 0;
  } else {
    whole first = slice / group * group, many = splits - first < group ? splits - first : group;
    whole groups = (splits + group - 1) / group;
    if (last_of(many, finished + 2 + slice / group)) {
      for (whole s = 1; s < many; s++)
        add(partial + first * cells, partial + (first + s) * cells, cells);
      if (groups == 1)
        write(it, partial, buffers[5]);
      else if (last_of(groups, finished)) {
        for (whole s = group; s < splits; s += group)
          add(partial, partial + s * cells, cells);
        write(it, partial, buffers[5]);
      }
    }
  }
  if (it->traced)
    stamps[3] = now();
}
