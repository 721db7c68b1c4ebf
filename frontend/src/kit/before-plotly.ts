/** To be read before Plotly: what it finds as it wakes decides whether it writes styles, and some of its parts look for
 *  the name that Node has for what browsers call globalThis. */
import { styled } from "./charting";

styled(); // plotted.css has its rules
(globalThis as { global?: unknown }).global ??= globalThis;
