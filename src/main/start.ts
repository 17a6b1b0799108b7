import { processContext } from "../cli/process-context.ts";
import { run } from "../cli/run.ts";
import { sayWarnings } from "../cli/say-warnings.ts";
import { ProgressLine } from "../cli/terminal/progress.ts";
import { explainError } from "../adapters/files/failure.ts";
import { readRegular } from "../adapters/files/regular-file.ts";
import { removeRepositoryVariables } from "../adapters/git/environment.ts";
import type { HookQuestion } from "../app/hook/answer.ts";
import type { HookAnswer } from "../contract/hook.ts";
import { lazily } from "./lazily.ts";
import type { LoadedAnswerers } from "./hook-answerers.ts";
import { openOperations } from "./operations.ts";
import type { Surrounding } from "./app.ts";
import type { Program } from "./program.ts";

/** Runs the program in this process and ends it. */
export async function start(argv: string[], program: Program): Promise<void> {
  removeRepositoryVariables(process.env);
  const progress = new ProgressLine();
  const surrounding: Surrounding = {
    cwd: process.cwd(),
    env: process.env,
    program,
    progress: (...args) => progress.show(...args),
    warn: (message) => context.output.say(`warning: ${message}`),
  };
  const { api, close } = openOperations(surrounding);
  const mcp = lazily(async () => (await import("./wire-mcp.ts")).openMcp(surrounding));
  const context = processContext({
    api,
    program: { version: program.version, mcp },
    readFile: (path: string) => readRegular(path),
    progress,
  });
  sayWarnings((text) => context.output.say(text), process.env);
  // Should the program ever stop waiting for something that never comes, that must not look like success.
  process.exitCode = 1;
  const code = await run(argv, context, explainError);
  progress.clear();
  await close();
  process.exitCode = code;
}

/** Answers a hook with what the whole program is needed for. Throws what kept it from that: the hook notes it, and the agent goes on. */
export async function answerHook(
  program: Program,
  name: keyof LoadedAnswerers,
  question: HookQuestion,
): Promise<HookAnswer | undefined> {
  const silent = (): void => undefined;
  removeRepositoryVariables(process.env);
  const around = { cwd: question.folder, env: process.env, program };
  const { hookAnswerer, close } = openOperations({ ...around, progress: silent, warn: silent });
  try {
    const answer = await hookAnswerer(name);
    return await answer(question);
  } finally {
    await close();
  }
}

/** Makes sessions of what agents told their hooks, and prints nothing. What cannot be done now, the next command does, or tells. */
export async function takeIn(program: Program): Promise<void> {
  const silent = (): void => undefined;
  try {
    removeRepositoryVariables(process.env);
    const around = { cwd: process.cwd(), env: process.env, program };
    const { api, close } = openOperations({ ...around, progress: silent, warn: silent });
    await api.sessions.list({ limit: 1 });
    await close();
  } catch {
    // An engine waits for this command, and has no use for what is wrong.
  }
}
