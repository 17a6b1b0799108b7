import type { EvidenceSight, WantedEvidence } from "../../contract/evidence.ts";
import type { RedactValue } from "../../contract/redacted.ts";
import type { Json } from "../../contract/json.ts";
import { textOf } from "../../engine/read-fields.ts";
import { readFiles } from "../../engine/read-files.ts";
import { shellCallOf } from "../../engine/tool-kinds.ts";
import type { HookAnswerer, HookQuestion } from "../hook/answer.ts";
import { isAskedFor } from "./check-gates.ts";
import { exitInHook } from "./hook-exit.ts";
import type { SightFiles, WorktreeLook } from "./ports.ts";

interface Parts {
  files: SightFiles;
  /** Whether a run is over, or is not there any more. */
  isOver: (run: string) => boolean;
  lookAt: (wanted: WantedEvidence) => WorktreeLook;
  redact: RedactValue;
  now: () => string;
}

/**
 * Looks out for calls that the step of a connected agent requires, while the agent waits for its hook. Answers nothing: the step is
 * checked when its result is handed in.
 */
export function connectedWitness({ files, isOver, lookAt, redact, now }: Parts): HookAnswerer {
  return async (question) => {
    const seen = question.caller ? undefined : sightIn(question);
    if (!seen) return undefined;
    for (const wanted of files.wanted()) {
      // Its driver died, and the run was given up by another process.
      if (isOver(wanted.run)) {
        files.unwant(wanted.run);
        continue;
      }
      const worktree = lookAt(wanted);
      const isThere = seen.folder !== undefined && worktree.isRoot(seen.folder);
      if (!isThere || !isAskedFor(wanted.gates, { ...seen, command: seen.becomes ?? seen.command })) continue;
      const { run, path: step, attempt } = wanted;
      const tree = (await worktree.tree()) ?? null;
      const whose = { v: 1, type: "sight", at: now(), run, step, attempt } as const;
      const read = seen.files?.flatMap((file) => worktree.pathBelow(file, seen.folder) ?? []);
      files.add(redact<EvidenceSight>({ ...whose, ...seen, ...(read && { files: read }), tree }));
    }
    return undefined;
  };
}

type Seen = Omit<EvidenceSight, "v" | "type" | "at" | "run" | "step" | "attempt" | "tree">;

function sightIn({ event, engine, fields, input: other }: HookQuestion): Seen | undefined {
  const isAfter = event === "PostToolUse" || event === "PostToolUseFailure";
  const given = fields as Record<string, Json>;
  const id = textOf(given["tool_call_id"]) ?? textOf(given["tool_use_id"]);
  const tool = textOf(given["tool_name"]);
  if ((event !== "PreToolUse" && !isAfter) || id === undefined || tool === undefined) return undefined;
  const input = given["tool_input"] ?? {};
  const shell = shellCallOf(tool, input);
  const becomes = other && shellCallOf(tool, other as Json)?.command;
  const read = readFiles(tool, input);
  const failed = event === "PostToolUseFailure";
  const folder = textOf(given["cwd"]);
  return {
    engine,
    transcript: textOf(given["transcript_path"]) ?? null,
    isAfter,
    tool,
    tool_use_id: id,
    ...(shell && { command: shell.command }),
    ...(becomes !== undefined && { becomes }),
    ...(read.length > 0 && { files: read }),
    ...(folder !== undefined && { folder }),
    failed,
    exit: (isAfter && shell && !shell.isBackground ? exitInHook(given, failed) : undefined) ?? null,
  };
}
