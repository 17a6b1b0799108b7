import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Json } from "../../../contract/grimoire.ts";
import { withoutResultInstructions } from "../../../engine/result-instructions.ts";
import { Conversation } from "./conversation.ts";
import { begin, play, type Stage } from "./play.ts";
import { readScript, type Turn } from "./script.ts";

const usage = "scripted SCRIPT [--model NAME] [--tools A,B] [--resume ID]";

/**
 * The scripted engine as a program: messages come on stdin in Claude's form, the prompt first. Plays for each of them,
 * until stdin is closed, and keeps nothing from one start to the next.
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { model: { type: "string" }, tools: { type: "string" }, resume: { type: "string" } },
    allowPositionals: true,
  });
  const [file, ...rest] = positionals;
  if (file === undefined || rest.length > 0) throw new Error(`it takes one script: ${usage}`);
  const failure = await converse(file, stageFor(values));
  if (failure !== undefined) throw new Error(failure);
}

/** Returns the error of the last message. */
async function converse(file: string, stage: Omit<Stage, "answerTo">): Promise<string | undefined> {
  const conversation = new Conversation(process.stdin, writeLine);
  const turns = await readScript(file);
  await begin(stage);
  let failure: string | undefined;
  let isFirst = true;
  for await (const { text, signal } of conversation.messages()) {
    const matchingTurns = turnsFor(turns, withoutResultInstructions(text));
    // Turns that fit any prompt were played for the first message.
    const turnsToPlay = isFirst ? matchingTurns : matchingTurns.filter(({ when }) => when !== undefined);
    const answerTo = conversation.answerTo.bind(conversation);
    failure = await play(turnsToPlay, { ...stage, answerTo }, signal);
    isFirst = false;
  }
  return failure;
}

/** The turns to play: those whose `when` is in the prompt, and those without `when`. */
function turnsFor(turns: Turn[], prompt: string): Turn[] {
  return turns.filter(({ when }) => when === undefined || prompt.includes(when));
}

interface StageOptions {
  model?: string;
  tools?: string;
  resume?: string;
}

function stageFor({ model = "scripted", tools, resume }: StageOptions): Omit<Stage, "answerTo"> {
  return {
    folder: process.cwd(),
    model,
    ...(tools !== undefined && { tools: tools.split(",") }),
    sessionId: resume ?? randomUUID(),
    newId: randomUUID,
    print: writeLine,
    sleep: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {}),
    monotonicMs: () => performance.now(),
    cost: {},
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
