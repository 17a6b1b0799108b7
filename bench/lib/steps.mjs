/** @typedef {import("../parts.ts").PinnedRun} PinnedRun */
/** @typedef {PinnedRun["grimoire"]["steps"][number]} Step */

/** @param {string} name @returns {Step} */
function step(name) {
  return { name, type: "script", command: "echo {{.bead.id}}", shell: "sh", input: {}, on_fail: "block" };
}

/** A run of these steps. @param {Step[]} steps @returns {PinnedRun} */
function runOf(steps) {
  return {
    bead: { id: "proj-1", title: "Measure it" },
    grimoire: { name: "flow", description: "Steps that do nothing.", steps },
    grimoire_file: "flow.yaml",
    spells: {},
    variables: {},
    settings: { engine: "scripted", timeouts_ms: { run: 7_200_000, agent: 900_000, script: 300_000 }, script: null },
    base: null,
    target: null,
    folder: "/",
  };
}

/** A run of so many steps, one after the other. @param {number} count */
export function plainSteps(count) {
  return runOf(Array.from({ length: count }, (_, at) => step(`step-${at}`)));
}

/** A run of a loop with so many iterations of one step. @param {number} count */
export function loopOf(count) {
  const loop = { name: "loop", type: "loop", max_iterations: count, on_max_iterations: "exit", steps: [step("step")] };
  return runOf([/** @type {Step} */ (loop)]);
}
