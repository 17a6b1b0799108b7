import { engineNames } from "../../tools/engines/programs.mjs";
import type { EngineName } from "../../tools/engines/programs.mjs";

/** The engines that `npm run test:engines -- NAME…` names, or all. */
export function askedEngines(): EngineName[] {
  const asked = process.env.CLEW_TEST_ENGINES?.split(",") ?? engineNames;
  return engineNames.filter((name) => asked.includes(name));
}
