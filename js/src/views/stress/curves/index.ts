/** The stress curves widget: sliders, curves and summaries. */

import { createPanel } from "./panel";
import { createCurvesView } from "./view";

export default createCurvesView({ root: "ts-stress-curves", createPanel });
