import { relative } from "node:path";
import { noteFailedFiles } from "./failed-files.mjs";

/**
 * Prints the run's result as one plain line, `12 passed, 0 failed`, below vitest's own summary, for people who scroll
 * and programs that read; and notes which files failed, for `scripts/test-again.mjs`.
 */
export default class CountReporter {
  /** @type {import("vitest/node").Vitest | undefined} */
  #vitest;

  /** @param {import("vitest/node").Vitest} vitest */
  onInit(vitest) {
    this.#vitest = vitest;
  }

  /**
   * @param {ReadonlyArray<import("vitest/node").TestModule>} modules
   * @param {ReadonlyArray<unknown>} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
    const count = (/** @type {string} */ state) => states.filter((one) => one === state).length;
    // A file that cannot be loaded, or a hook that throws, fails without a failing test of its own.
    const brokenSuites = modules.flatMap((module) => [module, ...module.children.allSuites()]).filter(isBroken).length;

    const parts = [`${count("passed")} passed`, `${count("failed") + brokenSuites} failed`];
    const skipped = count("skipped") + count("pending");
    if (skipped > 0) parts.push(`${skipped} skipped`);
    if (unhandledErrors.length > 0) parts.push(`${unhandledErrors.length} unhandled errors`);
    console.log(parts.join(", "));
    const failed = modules.filter((module) => module.state() === "failed").map(({ moduleId }) => moduleId);
    const { root = "", mode = "test" } = this.#vitest?.config ?? {};
    noteFailedFiles({ mode, files: failed.map((file) => relative(root, file)) });
  }
}

/** @param {import("vitest/node").TestModule | import("vitest/node").TestSuite} suite */
function isBroken(suite) {
  return suite.errors().length > 0;
}
