import type { HookReply } from "../engine/hook-endpoint.ts";
import type { RedactValue } from "../../contract/redacted.ts";
import { httpAnswer } from "../../hook/render-answer.ts";
import { answerHook, type HookAnswerer } from "./answer.ts";
import { textIn } from "./hook-line.ts";
import { keepDenial } from "./keep-denial.ts";
import type { HookFiles } from "./ports.ts";
import { hookNames, receiveHook } from "./receive.ts";

/** A call of a hook that came over HTTP, of an agent that the user started. */
interface HookRequest {
  event: string;
  engine: string | undefined;
  input: string;
}

export type TakeHook = (told: HookRequest) => Promise<HookReply>;

interface Parts {
  files: HookFiles;
  redact: RedactValue;
  /** Whether a folder is in this repository. Engines of other repositories may have the same settings. */
  isOwnFolder: (folder: string) => boolean;
  /** Answers where it is not, by the policy that holds there. */
  elsewhere: (folder: string) => HookAnswerer;
  /** Throws when what is kept would be written outside the repository. */
  refuseLinks: () => void;
  answerers: readonly HookAnswerer[];
  tellFault: (event: string, error: unknown) => void;
  /** An agent has ended: its session can be made. */
  onEnd: () => void;
  now: () => Date;
}

/** Keeps a call and answers it, as `clew hook` does. Never rejects: a fault of ours is told, and stops no agent. */
export async function takeHook(parts: Parts, { event: word, engine: named, input }: HookRequest): Promise<HookReply> {
  const words = { event: word, engine: named };
  const { event, engine, fields } = hookNames(words, input);
  const fail = (error: unknown): void => parts.tellFault(event, error);
  const folder = textIn(fields, "cwd") ?? "";
  const question = { event, engine, fields, caller: undefined, folder };
  if (folder !== "" && !parts.isOwnFolder(folder))
    return httpAnswer(engine, event, await answerHook([parts.elsewhere(folder)], question, fail));
  try {
    parts.refuseLinks();
    const call = { ...words, input, folder, caller: undefined, via: "http" as const, at: parts.now().toISOString() };
    receiveHook(parts, call);
    if (event === "SessionEnd") parts.onEnd();
  } catch (error) {
    fail(error);
  }
  const answer = await answerHook(parts.answerers, question, fail);
  try {
    keepDenial(parts, question, answer, parts.now().toISOString());
  } catch (error) {
    fail(error);
  }
  return httpAnswer(engine, event, answer);
}
