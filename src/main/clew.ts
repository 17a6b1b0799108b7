import { join } from "node:path";
import { asksForVersion, hasFolder, isHook, printVersion, refuseMissingFolder } from "../cli/before-start.ts";
import type { hook as Hook } from "./hook.ts";
import { loadChunk } from "./load-chunk.ts";
import type { Program } from "./program.ts";
import type { HookAnswerer } from "../app/hook/answer.ts";
import type { LoadedAnswerers } from "./hook-answerers.ts";
import type { answerHook as AnswerHook, start as Start, takeIn as TakeIn } from "./start.ts";

declare const __CLEW_VERSION__: string;

const argv = process.argv.slice(2);
const program: Program = {
  version: __CLEW_VERSION__,
  builtins: join(__dirname, "builtins"),
  engines: join(__dirname, "engines"),
};

if (asksForVersion(argv)) printVersion(__CLEW_VERSION__);
else if (isHook(argv)) {
  void hearHook();
} else if (!hasFolder()) refuseMissingFolder(argv);
else {
  const start = loadChunk("start.cjs")["start"] as typeof Start;
  void start(argv, program);
}

async function hearHook(): Promise<void> {
  const loaded = (name: keyof LoadedAnswerers): HookAnswerer => {
    return (question) => (loadChunk("start.cjs")["answerHook"] as typeof AnswerHook)(program, name, question);
  };
  const answerers = { rehydrate: loaded("rehydrate"), witness: loaded("witness"), held: loaded("held") };
  const { isOver } = await (loadChunk("hook.cjs")["hook"] as typeof Hook)(argv.slice(1), process.env, answerers);
  // The agent ends, and waits for nothing more: its session is made now.
  if (isOver) await (loadChunk("start.cjs")["takeIn"] as typeof TakeIn)(program);
}
