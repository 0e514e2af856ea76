/** One signal ends every listener of a panel; Node takes more than ten on a signal for a leak. */

import { setMaxListeners } from "node:events";

setMaxListeners(0);
