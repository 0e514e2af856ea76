/** From a state to what is shown: rows found here, or the kernel's last answer; and the population they are weighed in. */

import type { RowGroupMessage } from "../../../wire/messages";
import { sameStress } from "../../../wire/shared_stress";
import type { InsideRule, Listed, Sampled, TableData, Weighed } from "../../../wire/workspace/table";
import { remember } from "../../shared/memoize";
import { type StressShown, stressShown } from "../../shared/stress_shown";
import { errorsOf, findRows, groupOf, valueAt } from "./find";
import { type State, sameQuery } from "./state";

/** The rows found, by their place in the order shown. */
export interface Listing {
  readonly n: number;
  readonly found: RowGroupMessage;
  readonly selected: RowGroupMessage;
  /** Position in the study; −1 for a row that the kernel has not sent. */
  rowAt(place: number): number;
  /** Place of a row of the study; −1 where it is not found, or not here. */
  placeOf(row: number): number;
  value(column: number, place: number): number;
  before(place: number): number;
  /** NaN without a stress. */
  after(place: number): number;
  /** All rows found, in the order shown; null where the kernel has them. */
  readonly order: Uint32Array | null;
}

export interface DerivedView {
  readonly state: State;
  readonly chosen: ReadonlySet<number>;
  readonly stress: StressShown<Weighed>;
  /** Null where there is no rule to be inside of. */
  readonly inside: InsideRule | null;
  /** Null before the kernel's first answer. */
  readonly listing: Listing | null;
  /** Whether the rows listed answer another query. */
  readonly stale: boolean;
  /** The rows that the kernel has drawn for the scatter; null before, and where all rows are here. */
  readonly sample: Sampled | null;
  /** Whether they are of another query, or weighed under another stress. */
  readonly sampleStale: boolean;
}

const EMPTY: ReadonlySet<number> = new Set();

function createFinder(data: TableData) {
  const { message, columns, before } = data;
  const errors = errorsOf(data);
  const find = remember(
    (
      search: string,
      filter: State["filter"],
      sort: string,
      descending: boolean,
      chosen: ReadonlySet<number>,
      after: Float32Array | null,
    ) => findRows(data, { search, filter, sort, descending }, chosen, after, errors),
  );
  const group = (rows: ArrayLike<number>, after: Float32Array | null) => groupOf(data, rows, after, errors);
  const [weighFound, weighSelected] = [remember(group), remember(group)];
  return ({
    state,
    chosen,
    inside,
    after,
  }: {
    state: State;
    chosen: ReadonlySet<number>;
    inside: ReadonlySet<number>;
    after: Float32Array | null;
  }) => {
    const { search, filter, sort, descending, selection } = state;
    const among = filter === "selected" ? chosen : filter === "inside" ? inside : EMPTY;
    const by = sort === message.after_name ? after : null;
    const order = find(search, filter, sort, descending, among, by);
    const at = (place: number) => order[place] as number;
    const listing: Listing = {
      n: order.length,
      found: weighFound(order, after),
      selected: weighSelected(selection, after),
      rowAt: (place) => order[place] ?? -1,
      placeOf: (row) => order.indexOf(row),
      value: (k, place) => {
        const [about, values] = [message.columns[k], columns?.[k]];
        return about && values ? valueAt(about, values, at(place)) : Number.NaN;
      },
      before: (place) => before?.[at(place)] ?? 1,
      after: (place) => after?.[at(place)] ?? Number.NaN,
      order,
    };
    return listing;
  };
}

function listingOf({ message }: TableData, listed: Listed): Listing {
  const { start, places, before, after, columns, n, found, selected } = listed;
  const of = (values: ArrayLike<number>, place: number) => values[place - start] ?? Number.NaN;
  return {
    n,
    found,
    selected,
    rowAt: (place) => places[place - start] ?? -1,
    placeOf: (row) => {
      const at = places.indexOf(row);
      return at < 0 ? -1 : at + start;
    },
    value: (k, place) => {
      const [about, values] = [message.columns[k], columns[k]];
      return about && values ? valueAt(about, values, place - start) : Number.NaN;
    },
    before: (place) => of(before, place),
    after: (place) => of(after, place),
    order: null,
  };
}

/**
 * @param answers what the kernel said last, of a stress and of a query
 * @param solvedHere whether the page answers every stress by itself
 */
export function createViewDeriver(
  data: TableData,
  answers: () => {
    readonly weighed: Weighed | null;
    readonly listed: Listed | null;
    readonly inside: InsideRule | null;
    readonly sampled: Sampled | null;
  },
  solvedHere: () => boolean = () => false,
) {
  const { live, offline } = data.message;
  const find = data.columns ? createFinder(data) : null;
  const chosenOf = remember((selection: readonly number[]): ReadonlySet<number> => new Set(selection));
  const read = remember((listed: Listed) => listingOf(data, listed));
  return (state: State): DerivedView => {
    const { weighed, listed, inside, sampled: sample } = answers();
    const stress = stressShown(state.stress, weighed, live || solvedHere() ? "" : offline);
    const chosen = chosenOf(state.selection);
    if (find) {
      const listing = find({
        state,
        chosen,
        inside: inside?.rows ?? EMPTY,
        after: stress.now?.weights ?? null,
      });
      return { state, chosen, stress, inside, listing, stale: false, sample: null, sampleStale: false };
    }
    const stale = listed !== null && !sameQuery(listed, state);
    const sampleStale =
      sample !== null &&
      (sample.search !== state.search ||
        sample.filter !== state.filter ||
        !sameStress(sample.stress, state.stress));
    const listing = listed && read(listed);
    return { state, chosen, stress, inside, listing, stale, sample, sampleStale };
  };
}
