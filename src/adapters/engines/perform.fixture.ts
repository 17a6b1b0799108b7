import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { agentStep } from "../../app/run/agent-step.ts";
import type { StepResult } from "../../contract/run.ts";
import type { AgentInput } from "../../contract/step-input.ts";
import type { PinnedRun } from "../../contract/pinned-run.ts";
import type { WorkNote } from "../../contract/run-journal.ts";
import { noise } from "../../redact/fixtures/planted.ts";
import { redactValue } from "../../redact/redact-value.ts";
import { createRedactor } from "../../redact/redactor.ts";
import type { EndReason, PermissionDesk } from "../../run/handlers.ts";
import { nodeDisk } from "../files/node-disk.ts";
import { newMark } from "../shell/children.fixture.ts";
import { after } from "../system/timer.ts";
import type { Engine } from "./engine.ts";
import { engineAgents } from "./engine-agents.ts";
import { scriptedEngine } from "./scripted/engine.ts";
import { transcriptFiles } from "./transcript-files.ts";

/** The real program, as it is built. */
export const scriptedProgram = join(import.meta.dirname, "../../../dist/engines/scripted.cjs");
export const scripted = scriptedEngine(scriptedProgram);

/** An engine that is one shell command, is spoken to as Claude is and prints like it. */
export const shellEngine = (command: string): Engine => ({
  ...scripted,
  name: "shell",
  start: () => ({
    command: ["/bin/sh", "-c", command],
    env: { OWN: "of the engine" },
  }),
});

/** A command that prints one line of a stream. */
export const printed = (fields: object): string => `printf '%s\\n' '${JSON.stringify(fields)}'`;
export const goodResult = printed({ type: "result", structured_output: { success: true, summary: "done" } });

/** It may never be seen. */
export const secretValue = noise(20);

/** No other test has it: processes with the same mark are ended along. */
export const stepSign = newMark();

export interface Performance {
  result: StepResult;
  notes: WorkNote[];
  transcript: string;
}

export interface Circumstances {
  input?: Partial<AgentInput>;
  script?: string | null;
  /** Aborts as soon as such a note was logged. */
  endAt?: { type: WorkNote["type"]; reason: EndReason };
  onLog?: (note: WorkNote) => void;
  session?: string;
  permissions?: PermissionDesk;
  cutOff?: { engineSession?: string };
}

/** One agent step with the first of the engines, in a folder of its own; transcripts stand below it. */
export async function perform(folder: string, engines: Engine[], given: Circumstances = {}): Promise<Performance> {
  const notes: WorkNote[] = [];
  const ending = new AbortController();
  let passedMs = 0;
  const transcripts = join(folder, "transcripts");
  const agents = engineAgents({
    engines,
    redactor: createRedactor({ extraValues: [secretValue] }),
    transcripts: transcriptFiles(transcripts, nodeDisk, () => Date.UTC(2026, 10, 16, 5, 0)),
    env: { PATH: process.env.PATH, CLEW_SESSION: "of another run" },
    newId: () => "agent-1",
  });
  const handler = agentStep({
    agents,
    newMark: () => stepSign,
    ids: { random: () => "00000001" },
    later: after,
    monotonicMs: () => (passedMs += 7),
    sessionOf: () => given.session,
    gates: {
      evidence: { calls: () => [], append: () => undefined, owners: () => [], hookLines: () => [] },
      lookAt: () => ({
        tree: async () => undefined,
        head: () => undefined,
        changed: async () => undefined,
        filesIn: async () => undefined,
        pathBelow: () => undefined,
        file: async () => undefined,
        isRoot: () => true,
      }),
      runScript: () => Promise.reject(new Error("no gate runs a command here")),
      redact: (value) => redactValue(value, createRedactor({ extraValues: [secretValue] }).redact),
      connected: {
        sights: {
          wanted: () => [],
          want: () => undefined,
          unwant: () => undefined,
          add: () => undefined,
          sights: () => [],
        },
        toldBy: () => undefined,
      },
      now: () => "2026-11-16T05:00:00.000Z",
      later: after,
    },
    rehydration: { afterCut: async () => undefined, afterSwitch: async () => undefined, received: async () => {} },
  });
  const input: AgentInput = { kind: "agent", prompt: "Mend the roof.", engine: engines[0]!.name, ...given.input };
  const settings = { engine: "scripted", timeouts_ms: { run: 1, agent: 1, script: 1 }, script: given.script ?? null };
  const result = await handler(
    { path: "loop[2]/mend", attempt: 1, input, warnings: [], timeout_ms: 60_000, within: [] },
    {
      runId: "run-1",
      pinned: { folder, settings } as PinnedRun,
      signal: ending.signal,
      logNow: () => Promise.reject(new Error("nothing here has to wait for the disk")),
      landing: undefined,
      verification: undefined,
      agent: {
        ...(given.permissions && { permissions: given.permissions }),
        ...(given.cutOff && { cutOff: given.cutOff }),
      },
      log(note) {
        given.onLog?.(note);
        notes.push(note);
        if (note.type === given.endAt?.type) ending.abort(given.endAt.reason);
      },
    },
  );
  const transcript = nodeDisk
    .list(join(transcripts, "run-1"))
    .map((name) => readFileSync(join(transcripts, "run-1", name), "utf8"));
  return { result, notes, transcript: transcript.join("") };
}

/** One agent step that plays these turns. */
export function performTurns(folder: string, turns: object[], given: Circumstances = {}): Promise<Performance> {
  const script = join(folder, "script.json");
  writeFileSync(script, JSON.stringify({ turns }));
  return perform(folder, [scripted], { script, ...given });
}
