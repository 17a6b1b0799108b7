import { answerFiles } from "../adapters/daemon/answer-files.ts";
import { explainError } from "../adapters/files/failure.ts";
import { readRegular } from "../adapters/files/regular-file.ts";
import { paths } from "../adapters/layout.ts";
import { programPaths } from "../adapters/layout/program-paths.ts";
import type { Listen } from "../app/daemon/ports.ts";
import type { EventHub } from "../app/run/event-hub.ts";
import type { Asker } from "../app/run/ports.ts";
import type { DaemonParts } from "../daemon/parts.ts";
import { openDoors } from "../daemon/server.ts";
import type { Operations } from "./app.ts";
import { hookTaker } from "./wire-hook-taker.ts";
import type { Program } from "./program.ts";
import type { Ground } from "./wire-ground.ts";

interface ServerWiring {
  program: Program;
  tokens: DaemonParts["tokens"];
  eventHub: () => Promise<EventHub>;
  openOperations: (asker: Asker) => Operations;
  self: DaemonParts["self"];
  redact: DaemonParts["redact"];
  log: (line: string) => void;
}

/** Puts together what answers requests. Each is answered by operations that were put together for it alone. */
export function openServer(
  ground: Ground,
  { program, tokens, eventHub, openOperations, self, redact, log }: ServerWiring,
): Listen {
  const { disk, layout } = ground;
  return (at) =>
    openDoors(
      {
        openOperations,
        tokens,
        keptAnswers: answerFiles({ disk, folder: paths.daemonAnswers(layout), nowMs: () => Date.now() }),
        eventHub,
        takeHook: hookTaker(ground, openOperations),
        self,
        apiDocument: () => Buffer.from(readRegular(programPaths.apiDocument(program.engines))).toString("utf8"),
        explain: explainError,
        redact,
        log,
        elapsedMs: () => performance.now(),
      },
      at,
    );
}
