import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    restoreMocks: true,
    setupFiles: ["test/support/setup.ts"],
    // one page for many files: a third of the time, since each new one costs more than its tests
    isolate: false,
    pool: "threads",
  },
});
