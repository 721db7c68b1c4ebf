/** Plotly with traces of points and lines, from our own host. A figure that draws with it fetches it when it is seen. */
import "./before-plotly";
import core from "plotly.js/lib/core";

export default core;
