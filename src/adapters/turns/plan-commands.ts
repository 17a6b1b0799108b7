import { constants } from "node:os";
import { join } from "node:path";
import type { CommandEnd, PlanCommands } from "../../app/turn/execution/ports.ts";
import { fromRedacted, type Redacted } from "../../contract/redacted.ts";
import { headOf } from "../../engine/cut.ts";
import { prologue } from "../../grimoire/shell/prologue.ts";
import type { Redactor } from "../../redact/redactor.ts";
import { formatDuration } from "../../text/duration.ts";
import { agentMark } from "../shell/process-marks.ts";
import { runChild, type ChildEnd, type ChildSpec } from "../shell/run-child.ts";
import {
  makeStepFolder,
  nameStepFolder,
  needsStepFolder,
  removeStepFolder,
  scriptFileIn,
} from "../shell/step-folder.ts";
import { newId } from "../system/system.ts";

/** More is not kept. */
const maxKeptBytes = 10 * 1024 * 1024;
/** A command that prints more is ended. */
const maxOutputBytes = 64 * 1024 * 1024;

const settleMs = 100;

interface Parts {
  redactor: Redactor;
  env: Record<string, string | undefined>;
  root: string;
  /** Where folders of scripts are made, outside the repository. */
  tempFolder: string;
}

/** Commands of plans, each in a process group of its own. */
export function planCommands({ redactor, env, root, tempFolder }: Parts): PlanCommands {
  return {
    async run({ command, cwd, timeoutMs, session }, { signal, onStarted, onOutput }) {
      const script = { kind: "script", shell: "sh", script: command, values: {} } as const;
      const folder = needsStepFolder(script) ? nameStepFolder(tempFolder) : undefined;
      const output = keptOutput(redactor, onOutput);
      const timeout = new AbortController();
      const timer = setTimeout(() => timeout.abort(), timeoutMs);
      try {
        const end = await runChild(
          {
            ...shellOf(command, folder),
            folder: join(root, cwd),
            env,
            mark: agentMark("turn", session, newId()),
            maxOutputBytes,
          },
          {
            signal: AbortSignal.any([signal, timeout.signal]),
            onStarted(record) {
              onStarted({ ...record, ...(folder !== undefined && { folder }) });
              if (folder !== undefined) makeStepFolder(folder, script);
            },
            onStdout: (piece) => output.push(piece),
            onStderr: (piece) => output.push(piece),
          },
        );
        const isLate = timeout.signal.aborted && !signal.aborted && end.ended === "aborted";
        return endOf(end, isLate ? timeoutMs : undefined, output.end());
      } finally {
        clearTimeout(timer);
        if (folder !== undefined) removeStepFolder(folder);
      }
    },
  };
}

function shellOf(command: string, folder: string | undefined): Pick<ChildSpec, "command" | "script"> {
  if (folder === undefined) return { command: ["/bin/sh"], script: prologue([]) + command };
  return { command: ["/bin/sh", scriptFileIn(folder)] };
}

function endOf(end: ChildEnd, lateAfterMs: number | undefined, output: Redacted<string>): CommandEnd {
  const exit_code = end.signal === null ? end.code : 128 + constants.signals[end.signal];
  const error = errorOf(end, lateAfterMs);
  return { exit_code: end.ended === "aborted" ? null : exit_code, output, ...(error !== undefined && { error }) };
}

function errorOf(
  { ended, error, signal, code, survivors }: ChildEnd,
  lateAfterMs: number | undefined,
): string | undefined {
  if (error !== undefined) return error;
  const left = survivors === undefined ? "" : `; could not be ended, and still run: ${survivors.join(", ")}`;
  if (lateAfterMs !== undefined) return `took longer than ${formatDuration(lateAfterMs)}, and was ended${left}`;
  if (ended === "aborted") return `was stopped${left}`;
  if (ended === "too_much_output") return `printed more than ${maxOutputBytes / 1024 ** 2} MiB, and was ended`;
  if (signal !== null) return `was ended by ${signal}`;
  return code === 0 ? undefined : `exited with ${code}`;
}

/** Both streams as one text. It is redacted in the order in which it came, up to what is kept. */
function keptOutput(redactor: Redactor, onOutput: (text: Redacted<string>) => void) {
  const redacted = redactor.stream();
  let text = fromRedacted(redactor.redact(""), (empty) => empty);
  let room = maxKeptBytes;
  const keep = (piece: Redacted<string>): void => {
    if (piece === "" || room <= 0) return;
    const head = fromRedacted(piece, (whole) => headOf(whole, room));
    room -= Buffer.byteLength(head);
    text = fromRedacted(text, (before) => before + head);
    if (room <= 0) text = fromRedacted(text, (before) => `${before}\n[more was printed, and is not kept]\n`);
    onOutput(head);
  };
  let pause: NodeJS.Timeout | undefined;
  return {
    push(piece: string): void {
      keep(redacted.push(piece));
      // Who watches sees whole lines as soon as the command pauses.
      pause ??= setTimeout(() => {
        pause = undefined;
        keep(redacted.settle());
      }, settleMs);
    },
    end(): Redacted<string> {
      clearTimeout(pause);
      keep(redacted.end());
      return text;
    },
  };
}
