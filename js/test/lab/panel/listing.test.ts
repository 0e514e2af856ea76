import { expect, test, vi } from "vitest";
import type { ExecuteRequest, Kernel, Reply } from "../../../src/lab/host";
import { ASK, askListing } from "../../../src/lab/panel/listing";

function kernel(language: string, content: Reply["content"]) {
  const requestExecute = vi.fn((_: ExecuteRequest) => ({
    done: Promise.resolve({ content }),
    isDisposed: false,
    dispose: () => undefined,
  }));
  return { info: Promise.resolve({ language_info: { name: language } }), requestExecute } satisfies Kernel;
}

const NOTHING = { status: "ok", data: { "text/plain": "None" } };

test("names are asked for without a trace, and only where the package is imported", async () => {
  const asked = kernel("python", { status: "ok", user_expressions: { tauscope: NOTHING } });
  expect(await askListing(asked)).toBeNull();
  const [request] = asked.requestExecute.mock.calls[0] ?? [];
  expect(request).toMatchObject({ code: "", silent: true, store_history: false, allow_stdin: false });
  expect(request?.user_expressions).toEqual({ tauscope: ASK });
  expect(ASK).toContain('if "tauscope" in __import__("sys").modules else None');
});

test("what the kernel answers is the listing", async () => {
  const listing = { module: "ts", free: "study", studies: [], models: [], frames: [], columns: [] };
  const answer = { status: "ok", data: { "application/json": listing } };
  const asked = kernel("python", { status: "ok", user_expressions: { tauscope: answer } });
  expect(await askListing(asked)).toEqual(listing);
});

test("a kernel of another language is asked nothing", async () => {
  const asked = kernel("R", { status: "ok" });
  expect(await askListing(asked)).toBe("other");
  expect(asked.requestExecute).not.toHaveBeenCalled();
});
