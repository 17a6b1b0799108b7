import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8")) as { version: string };
const long = ["src/**/*.long.test.ts", "test/**/*.long.test.ts"];
const engines = ["test/**/*.engines.test.ts"];

/** `--mode long` runs what takes its time: whole matrices, many kills, Postgres; `--mode engines` the real engines. */
function filesOf(mode: string) {
  if (mode === "long") return { include: long };
  if (mode === "engines") return { include: engines };
  return { include: ["src/**/*.test.ts", "test/**/*.test.ts"], exclude: [...long, ...engines] };
}

export default defineConfig(({ mode }) => ({
  define: { __CLEW_VERSION__: JSON.stringify(version) },
  test: {
    ...filesOf(mode),
    // Processes, not threads: tests start programs, send signals, change folders and load a native module.
    pool: "forks",
    isolate: false,
    // More than there are cores: most tests wait for programs that they started, and those for a clock, a signal or each other.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // Long enough for a machine that is busy with something else.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    globalSetup: ["scripts/vitest/setup.mjs"],
    reporters: ["default", "./scripts/vitest/count-reporter.mjs"],
  },
}));
