import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Json } from "../../../contract/grimoire.ts";
import { withoutResultInstructions } from "../../../engine/result-instructions.ts";
import { Conversation } from "./conversation.ts";
import { begin, play, type Stage } from "./play.ts";
import { httpHooks } from "./hooks.ts";
import { readScript, type Turn } from "./script.ts";
import { StageHooks } from "./stage-hooks.ts";

const usage = "scripted SCRIPT [--model NAME] [--tools A,B] [--resume ID] [--max-rounds N]";

/**
 * The scripted engine as a program: messages come on stdin in Claude's form, the prompt first. Plays for each of them,
 * until stdin is closed, and keeps nothing from one start to the next.
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      model: { type: "string" },
      tools: { type: "string" },
      resume: { type: "string" },
      "max-rounds": { type: "string" },
    },
    allowPositionals: true,
  });
  const [file, ...rest] = positionals;
  if (file === undefined || rest.length > 0) throw new Error(`it takes one script: ${usage}`);
  const failure = await converse(file, stageFor(values), values.resume !== undefined);
  if (failure !== undefined) throw new Error(failure);
}

/** Returns the error of the last message. */
async function converse(file: string, stage: Omit<Stage, "answerTo">, isResumed: boolean): Promise<string | undefined> {
  const conversation = new Conversation(process.stdin, writeLine);
  const turns = await readScript(file);
  await begin(stage, isResumed);
  let failure: string | undefined;
  let isFirst = true;
  for await (const { text, signal } of conversation.messages()) {
    const words = withoutResultInstructions(text);
    // Turns that fit any prompt were played for the first message.
    const fitsAny = isFirst;
    if (!isFirst) stage.hooks.forget();
    const fits = ({ when }: Turn, heard: string): boolean =>
      when === undefined ? fitsAny : words.includes(when) || heard.includes(when);
    const answerTo = conversation.answerTo.bind(conversation);
    failure = await play(turns, { prompt: text, fits }, { ...stage, answerTo }, signal);
    isFirst = false;
  }
  await stage.hooks.tell("SessionEnd", { reason: "other" });
  return failure;
}

interface StageOptions {
  model?: string;
  tools?: string;
  resume?: string;
  "max-rounds"?: string;
}

function stageFor({
  model = "scripted",
  tools,
  resume,
  "max-rounds": maxRounds,
}: StageOptions): Omit<Stage, "answerTo"> {
  const folder = process.cwd();
  const sessionId = resume ?? randomUUID();
  const common = { session_id: sessionId, transcript_path: "", cwd: folder, permission_mode: "acceptEdits" };
  const printHook = (fields: { [key: string]: Json }): Promise<void> =>
    writeLine({ ...fields, session_id: sessionId, uuid: randomUUID() });
  return {
    folder,
    model,
    hooks: new StageHooks(httpHooks(process.env, common), printHook, model),
    ...(tools !== undefined && { tools: tools.split(",") }),
    sessionId,
    newId: randomUUID,
    print: writeLine,
    sleep: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {}),
    monotonicMs: () => performance.now(),
    cost: {},
    rounds: { played: 0, most: maxRounds === undefined ? Infinity : Number(maxRounds) },
  };
}

function writeLine(line: Json): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(`${JSON.stringify(line)}\n`, (error) => (error ? reject(error) : resolve()));
  });
}

// Stdout is closed: there is no reader to play for.
process.stdout.on("error", () => process.exit(1));

main().catch((error: unknown) => {
  process.stderr.write(`scripted: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
  // An open stdin would keep the program alive.
  process.stdin.destroy();
});
