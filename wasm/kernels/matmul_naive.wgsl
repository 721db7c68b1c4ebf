// C = A B on a GPU, 1: a thread for each number of C. It reads a row of A and a column of B from the GPU's memory.
struct Size { n: u32, rows: u32 }
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@group(0) @binding(3) var<uniform> size: Size;

// Neighbours in x read neighbours of B: their reads become one.
@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) at: vec3u) {
  if (at.x >= size.n || at.y >= size.rows) { return; }
  var sum = 0.0;
  for (var k = 0u; k < size.n; k++) {
    sum += a[at.y * size.n + k] * b[k * size.n + at.x];
  }
  c[at.y * size.n + at.x] = sum;
}
