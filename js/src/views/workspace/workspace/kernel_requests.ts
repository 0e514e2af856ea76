/** What the page asks of the kernel once, by messages that no saved state keeps; the answer is known by its id. */

import type { AnyModel } from "@anywidget/types";
import { type RequestAnswerMessage, requestAnswerMessage } from "../../../wire/messages";

const [REQUEST, ANSWER] = ["tauscope:request", "tauscope:answer"];
/** Traits that the kernel may not have yet, where the page moved them just now. */
const STATE = ["stress", "view", "feature", "row", "selection", "second_metric"] as const;

export interface KernelAnswer extends RequestAnswerMessage {
  readonly content: BlobPart | undefined;
}

/** Rejects with the words of the error where the kernel could not. */
export type Ask = (
  what: "code" | "page" | "compare" | "cell",
  more?: Readonly<Record<string, unknown>>,
) => Promise<KernelAnswer>;

interface Waiting {
  done(answer: KernelAnswer): void;
  failed(error: Error): void;
}

let last = 0;

// biome-ignore lint/suspicious/noExplicitAny: the traits of any view
export function createAsk(model: AnyModel<any>, signal: AbortSignal): Ask {
  const waiting = new Map<string, Waiting>();
  const page = Math.random().toString(36).slice(2);
  const hear = (content: unknown, buffers: readonly DataView[] = []) => {
    const { type, id } = (content ?? {}) as { type?: unknown; id?: unknown };
    const asked = type === ANSWER ? waiting.get(String(id)) : undefined;
    if (!asked) return;
    waiting.delete(String(id));
    try {
      const answer = requestAnswerMessage(content, "answer");
      if (answer.state === "failed") throw new Error(answer.words);
      asked.done({ ...answer, content: buffers[0] as BlobPart | undefined });
    } catch (error) {
      asked.failed(error as Error);
    }
  };
  model.on("msg:custom", hear);
  signal.addEventListener("abort", () => model.off("msg:custom", hear), { once: true });
  return (what, more = {}) =>
    new Promise((done, failed) => {
      const id = `${page}-${++last}`;
      waiting.set(id, { done, failed });
      model.save_changes();
      const state = Object.fromEntries(STATE.map((name) => [name, model.get(name)]));
      model.send({ type: REQUEST, id, what, state, ...more });
    });
}
