// C = A B on a GPU, 2: 16 × 16 threads copy a square of A and one of B into memory that they share, and each number is
// then read sixteen times from there. What lies beyond the matrices is zero.
struct Size { n: u32, rows: u32 }
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@group(0) @binding(3) var<uniform> size: Size;

const SIDE = 16u;
var<workgroup> left: array<array<f32, SIDE>, SIDE>;
var<workgroup> right: array<array<f32, SIDE>, SIDE>;

@compute @workgroup_size(SIDE, SIDE)
fn main(@builtin(global_invocation_id) at: vec3u, @builtin(local_invocation_id) me: vec3u) {
  var sum = 0.0;
  for (var base = 0u; base < size.n; base += SIDE) {
    left[me.y][me.x] = 0.0;
    right[me.y][me.x] = 0.0;
    if (at.y < size.rows && base + me.x < size.n) { left[me.y][me.x] = a[at.y * size.n + base + me.x]; }
    if (at.x < size.n && base + me.y < size.n) { right[me.y][me.x] = b[(base + me.y) * size.n + at.x]; }
    workgroupBarrier();
    for (var k = 0u; k < SIDE; k++) {
      sum += left[me.y][k] * right[k][me.x];
    }
    workgroupBarrier();
  }
  if (at.x < size.n && at.y < size.rows) { c[at.y * size.n + at.x] = sum; }
}
