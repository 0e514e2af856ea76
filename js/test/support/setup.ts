/** Before each file: what every test needs, and what ends after it. */

import { setMaxListeners } from "node:events";
import { afterEach } from "vitest";
import { endViews } from "./view";

// one signal ends every listener of a panel; Node takes more than ten on a signal for a leak
setMaxListeners(0);
afterEach(endViews);
