/** The scenarios of a workspace: in its trait, solved in the page or by the kernel, and as a file of its data. */

import type { WorkspaceMessage, WorkspaceTraits } from "../../../wire/messages";
import { isStressed, readStress, type Stress, sameStress } from "../../../wire/shared_stress";
import type { Traits } from "../../shared/traits";
import type { Ask } from "./kernel_requests";
import type { Numbers } from "./numbers";
import type { Compare, Compared } from "./scenario_comparison";
import { decodeScenarios, readScenarios, type Scenario, writeScenarios } from "./scenario_file";
import type { Scenarios } from "./scenario_menu";

const AS_TESTED = "as tested";

/** What a stress is kept as; "" where it is not, or nothing is moved. */
export function nameOf(kept: readonly Scenario[], stress: Stress): string {
  return isStressed(stress) ? (kept.find((one) => sameStress(one, stress))?.name ?? "") : "";
}

function createCompare({ live, offline }: WorkspaceMessage, numbers: () => Numbers, ask: Ask): Compare {
  return {
    get metrics() {
      const { metrics, metric } = numbers().context;
      return metrics.map(({ name, label }, k) => ({ name, label, format: metric(k) }));
    },
    async solve(scenarios) {
      const { here, answer, cells, asTested } = numbers();
      if (here) {
        const tested = answer({ taus: {}, hold: "none" });
        const solved = scenarios.map((one): Compared => {
          const found = answer({ taus: one.taus, hold: one.hold });
          const problem = found.reason;
          return { name: one.name, ess: found.ess, cells: problem ? [] : cells(found), problem };
        });
        return [{ name: AS_TESTED, ess: tested.ess, cells: asTested(), problem: "" }, ...solved];
      }
      if (!live)
        throw new Error(`The rows are not in this page, so that the kernel has to compare. ${offline}`);
      const { records } = await ask("compare", { scenarios });
      return [AS_TESTED, ...scenarios.map(({ name }) => name)].map((name) => {
        const own = records.filter(({ scenario }) => scenario === name);
        return { name, ess: own[0]?.ess ?? Number.NaN, cells: own, problem: "" };
      });
    },
  };
}

export function createScenarios(
  traits: Traits<WorkspaceTraits>,
  message: WorkspaceMessage,
  numbers: () => Numbers,
  ask: Ask,
): Scenarios {
  const features = () => numbers().context.features;
  return {
    all: () => decodeScenarios(traits.get("scenarios")),
    set: (scenarios) => traits.set("scenarios", scenarios),
    stress: () => readStress(traits.get("stress")),
    apply: (stress) => traits.set("stress", stress),
    write: (all) => writeScenarios(message.file, features(), all, new Date().toISOString().slice(0, 10)),
    read: (text, name) => {
      const names = features().map((feature) => feature.name);
      return readScenarios(text, name, message.file, names);
    },
    compare: createCompare(message, numbers, ask),
  };
}
