declare module "plotly.js/lib/core" {
  const core: unknown;
  export default core;
}
declare module "plotly.js/lib/surface" {
  const trace: unknown;
  export default trace;
}
declare module "plotly.js/lib/scatter3d" {
  const trace: unknown;
  export default trace;
}
