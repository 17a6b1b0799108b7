import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Json } from "../../../contract/grimoire.ts";
import { withoutResultInstructions } from "../../../engine/result-instructions.ts";
import { play, type Stage } from "./play.ts";
import { readScript, type Turn } from "./script.ts";

/**
 * The scripted engine, a program of its own: `scripted SCRIPT [--model NAME]`, the prompt on stdin. Every start knows
 * nothing of the one before.
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options: { model: { type: "string" } }, allowPositionals: true });
  const [file, ...rest] = positionals;
  if (file === undefined || rest.length > 0) throw new Error("it takes one script: scripted SCRIPT [--model NAME]");
  const prompt = withoutResultInstructions(await readAll(process.stdin));
  const failure = await play(fitting(await readScript(file), prompt), stageFor(values.model ?? "scripted"));
  if (failure !== undefined) throw new Error(failure);
}

/** The turns to play: those whose text the prompt holds, and those that ask for none. */
function fitting(turns: Turn[], prompt: string): Turn[] {
  return turns.filter(({ when }) => when === undefined || prompt.includes(when));
}

function stageFor(model: string): Stage {
  return {
    folder: process.cwd(),
    model,
    newId: randomUUID,
    print: writeLine,
    sleep: (ms) => sleep(ms),
    monotonicMs: () => performance.now(),
  };
}

function writeLine(line: Json): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(`${JSON.stringify(line)}\n`, (error) => (error ? reject(error) : resolve()));
  });
}

async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString("utf8");
}

// Nobody reads any more: there is nothing left to play for, and nobody to tell.
process.stdout.on("error", () => process.exit(1));

main().catch((error: unknown) => {
  process.stderr.write(`scripted: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
