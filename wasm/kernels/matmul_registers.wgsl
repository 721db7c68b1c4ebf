// C = A B on a GPU, 3: a workgroup makes 64 × 64 numbers of C, each of its 16 × 16 threads 4 × 4 of them in registers.
// For sixteen multiply-adds a thread then reads eight numbers from shared memory, not thirty-two.
struct Size { n: u32, rows: u32 }
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@group(0) @binding(3) var<uniform> size: Size;

const THREADS = 16u;
const SIDE = 64u; // of C
const DEPTH = 16u;
var<workgroup> left: array<array<vec4f, THREADS>, DEPTH>; // columns of A, four rows in each vector
var<workgroup> right: array<array<vec4f, THREADS>, DEPTH>; // rows of B, four columns in each

fn of_a(row: u32, k: u32) -> f32 {
  if (row < size.rows && k < size.n) { return a[row * size.n + k]; }
  return 0.0;
}

fn of_b(k: u32, column: u32) -> f32 {
  if (k < size.n && column < size.n) { return b[k * size.n + column]; }
  return 0.0;
}

@compute @workgroup_size(THREADS, THREADS)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_id) me: vec3u) {
  let row = group.y * SIDE + 4u * me.y;
  let column = group.x * SIDE + 4u * me.x;
  var sum: array<vec4f, 4>; // rows of C
  for (var base = 0u; base < size.n; base += DEPTH) {
    // Each thread copies four numbers of A and four of B: columns base + me.x and rows base + me.y.
    let k = base + me.x;
    left[me.x][me.y] = vec4f(of_a(row, k), of_a(row + 1u, k), of_a(row + 2u, k), of_a(row + 3u, k));
    let d = base + me.y;
    right[me.y][me.x] = vec4f(of_b(d, column), of_b(d, column + 1u), of_b(d, column + 2u), of_b(d, column + 3u));
    workgroupBarrier();
    for (var step = 0u; step < DEPTH; step++) {
      let x = left[step][me.y];
      let y = right[step][me.x];
      sum[0] = fma(vec4f(x[0]), y, sum[0]);
      sum[1] = fma(vec4f(x[1]), y, sum[1]);
      sum[2] = fma(vec4f(x[2]), y, sum[2]);
      sum[3] = fma(vec4f(x[3]), y, sum[3]);
    }
    workgroupBarrier();
  }
  for (var i = 0u; i < 4u; i++) {
    for (var j = 0u; j < 4u; j++) {
      if (row + i < size.rows && column + j < size.n) { c[(row + i) * size.n + column + j] = sum[i][j]; }
    }
  }
}
