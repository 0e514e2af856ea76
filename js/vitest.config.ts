import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { include: ["test/**/*.test.ts"], restoreMocks: true, setupFiles: ["test/support/setup.ts"] },
});
