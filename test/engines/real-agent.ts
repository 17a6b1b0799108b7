import { dirname } from "node:path";
import type { Engine } from "../../src/adapters/engines/engine.ts";
import { start, type Given, type Live } from "../../src/adapters/engines/live-agent.fixture.ts";
import type { PermissionEvent, PermissionOption } from "../../src/contract/engine.ts";
import type { RealEngine } from "./real-engine.ts";

/** What the engine's program inherits: its folder comes first on the PATH, so that it is found by its name. */
export function realEnvironment({ env, program }: RealEngine): Record<string, string> {
  return { ...env, PATH: `${dirname(program)}:${env["PATH"] ?? ""}` };
}

/** An agent of the real program. Permissions are answered by this kind of option, or stay open. */
export function startReal(
  real: RealEngine,
  engine: Engine,
  given: Given & { answers?: PermissionOption["kind"] } = {},
): Live {
  const { answers, ...rest } = given;
  const live: Live = start(
    real.folder,
    engine,
    {
      env: realEnvironment(real),
      patienceMs: 60_000,
      ...rest,
      onEvent(event, line) {
        rest.onEvent?.(event, line);
        if (answers === undefined || event.type !== "permission" || event.withdrawn) return;
        live.agent.answer(event.id, optionOf(event, answers));
      },
    },
    15_000,
  );
  return live;
}

export function optionOf({ options }: PermissionEvent, kind: PermissionOption["kind"]): string {
  const option = options.find((one) => one.kind === kind);
  if (!option) throw new Error(`no option is ${kind}: ${JSON.stringify(options)}`);
  return option.id;
}
