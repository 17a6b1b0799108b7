import { describe } from "vitest";
import { engineNames } from "../../tools/engines/programs.mjs";
import type { EngineName } from "../../tools/engines/programs.mjs";

/** The engines that `npm run test:engines -- NAME…` names, or all. */
export function askedEngines(): EngineName[] {
  const asked = process.env.CLEW_TEST_ENGINES?.split(",") ?? engineNames;
  return engineNames.filter((name) => asked.includes(name));
}

/** A suite for each of these engines; those that were not asked for are told as skipped. */
export function describeEngines<Name extends EngineName>(
  names: readonly Name[],
  title: string,
  define: (name: Name) => void,
): void {
  for (const name of names) {
    describe.runIf(askedEngines().includes(name))(`${title} ${name}`, () => {
      define(name);
    });
  }
}
