import type { EngineFinding, EnginesApi } from "../../contract/api/engine.ts";
import { ClewError } from "../../contract/errors.ts";
import { engineHint } from "./engine-starts.ts";
import { findingsOf, isUsable, listedEngine } from "./describe.ts";
import type { EngineFacts, EngineProbes } from "./ports.ts";

interface Parts {
  probes: () => Promise<EngineProbes>;
  /** The engine that the settings name. */
  configured: () => Promise<string>;
}

export function enginesApi({ probes, configured }: Parts): EnginesApi {
  return {
    list: async () => ({ engines: (await probeAll(await probes())).map(listedEngine) }),
    async examine({ engine: name }) {
      const all = await probes();
      if (name !== undefined) refuseUnknown(name, all.names);
      const engine = name ?? (await configured());
      const facts = await (name === undefined ? probeAll(all) : probeAll(all, [name]));
      const asked = facts.find((each) => each.name === engine);
      const others = facts.filter((each) => each !== asked);
      return {
        engine,
        usable: asked !== undefined && isUsable(asked),
        findings: [
          ...(asked ? findingsOf(asked) : [unknownFinding(engine, all.names)]),
          ...others.flatMap(shortFindings),
        ],
      };
    },
  };
}

/** All at once: each may take its time. */
async function probeAll(probes: EngineProbes, names = probes.names): Promise<EngineFacts[]> {
  return (await Promise.all(names.map((each) => probes.probe(each)))).filter((each) => each !== undefined);
}

/** Of an engine that is not installed and that the user did not choose, no more than that. */
function shortFindings(facts: EngineFacts): EngineFinding[] {
  if (facts.path !== null) return findingsOf(facts);
  return findingsOf(facts).map((finding) => ({ ...finding, status: "warning" as const }));
}

function refuseUnknown(name: string, names: readonly string[]): void {
  if (names.includes(name)) return;
  throw new ClewError("unknown_engine", `there is no engine ${name} in this version`, engineHint(name, names));
}

function unknownFinding(engine: string, names: readonly string[]): EngineFinding {
  const message = `the setting engine names it, and there is no such engine; there are ${names.join(", ")}`;
  return { engine, check: "program", status: "problem", message, hint: `clew config set engine ${names[0]}` };
}
