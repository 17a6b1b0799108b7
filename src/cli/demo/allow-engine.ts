import { ClewError } from "../../contract/errors.ts";
import type { CliContext } from "../context.ts";

/**
 * Asks the person whether an engine of theirs may play the demo, because that costs money. Returns its name, and undefined for
 * the scripted one, which costs nothing. Throws a ClewError when it cannot be used, or was not allowed.
 */
export async function allowEngine(
  { api, input }: CliContext,
  engine: string,
  yes: boolean | undefined,
): Promise<string | undefined> {
  if (engine === "scripted") return undefined;
  const { usable, findings } = await api.engines.examine({ engine });
  if (!usable) {
    const problem = findings.find(({ status }) => status === "problem");
    const hint = problem?.hint ?? `clew engine doctor ${engine}`;
    throw new ClewError(
      "not_available",
      `${engine} cannot play the demo: ${problem?.message ?? "see its doctor"}`,
      hint,
    );
  }
  if (yes) return engine;
  const cost = `with ${engine}, your own agent works on the demo, and its model is paid by you`;
  if (!input.interactive) {
    const hint = `clew demo --engine ${engine} --yes; clew demo alone needs no model`;
    throw new ClewError("usage", `${cost}; without a terminal nobody can be asked about that`, hint);
  }
  const isAllowed = await input.confirm(`${cost[0]!.toUpperCase()}${cost.slice(1)}. Play it?`);
  if (isAllowed) return engine;
  throw new ClewError("interrupted", "the demo was not played", "clew demo alone needs no model");
}
