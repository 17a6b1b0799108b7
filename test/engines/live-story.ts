import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Script } from "./model/script.ts";

/** Runs until `wake.txt` is there, or the folder is gone; no engine refuses it, as they do with a plain `sleep`. */
export const waiting =
  "touch started.txt; while test -e started.txt && ! test -e wake.txt; do sleep 0.1; done; touch woke.txt";

export const prompts = { work: "do what the script says", wait: "WAIT for me", goOn: "GO-ON please" };

/** A file and a command; or, where a prompt asks for it, a command that takes its time. */
export const liveStory = (folder: string): Script => ({
  turns: [
    { when: "GO-ON", say: "I heard the second message." },
    { when: "WAIT", say: "I wait.", tool: { kind: "shell", input: { command: waiting } } },
    {
      think: "First a file.",
      say: "I write the file.",
      tool: { kind: "write", input: { path: join(folder, "hello.txt"), content: "hello\n" } },
      usage: { input: 1000, output: 50, cached: 0 },
    },
    {
      say: "Now a command.",
      tool: { kind: "shell", input: { command: "expr 6 '*' 7 > answer.txt; cat answer.txt" } },
      usage: { input: 1200, output: 40, cached: 800 },
    },
    { say: "All is done.", usage: { input: 1500, output: 30, cached: 1000 } },
  ],
});

/** When the command that waits runs. */
export async function commandStarts(folder: string): Promise<void> {
  while (!existsSync(join(folder, "started.txt"))) await sleep(50);
}

/** Lets the command that waits end, and says whether it was still there to notice. */
export async function wakeCommand(folder: string): Promise<boolean> {
  writeFileSync(join(folder, "wake.txt"), "");
  for (let tries = 0; tries < 20 && !existsSync(join(folder, "woke.txt")); tries++) await sleep(50);
  return existsSync(join(folder, "woke.txt"));
}

export function filesIn(folder: string): { hello: boolean; answer: boolean } {
  return { hello: existsSync(join(folder, "hello.txt")), answer: existsSync(join(folder, "answer.txt")) };
}
