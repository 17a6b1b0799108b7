import { writeSync } from "node:fs";
import { askDriver } from "../adapters/hooks/ask-driver.ts";
import { noteFault } from "../adapters/hooks/fault-log.ts";
import { hookFiles } from "../adapters/hooks/hook-files.ts";
import { hookFolders, hookPlace, type HookPlace } from "../adapters/hooks/hook-place.ts";
import { markedCaller } from "../adapters/hooks/marked-caller.ts";
import { readStdin } from "../adapters/hooks/read-stdin.ts";
import { answerHook, type HookAnswerer, type HookQuestion } from "../app/hook/answer.ts";
import { readHookWords } from "../app/hook/command-words.ts";
import { keepDenial } from "../app/hook/keep-denial.ts";
import { hookNames, receiveHook } from "../app/hook/receive.ts";
import { hookVariables, type HookAnswer } from "../contract/hook.ts";
import { commandAnswer } from "../hook/render-answer.ts";
import { createRedactor } from "../redact/redactor.ts";
import { redactValue } from "../redact/redact-value.ts";
import { attempt } from "../text/attempt.ts";
import { hookAnswerers, lazyPolicyAnswerer, type LoadedAnswerers } from "./hook-answerers.ts";

/**
 * `clew hook EVENT`: an engine calls it many times in a session, so that it loads nothing else of the program that it does not need.
 * Whatever is wrong, it answers nothing and exits 0, because an engine may take anything else for a no; the fault is noted. Only a
 * policy says no, also when what came cannot be kept. Returns whether an agent that the user started has ended.
 */
export async function hook(
  argv: string[],
  env: Record<string, string | undefined>,
  loaded: LoadedAnswerers,
): Promise<{ isOver: boolean }> {
  const words = readHookWords(argv);
  let place: HookPlace | undefined;
  const fail = (error: unknown): void => tellFault(place, words.event ?? "", error, env);
  process.on("uncaughtException", (error) => {
    fail(error);
    process.exit(0);
  });
  try {
    place = hookPlace(env);
    const input = tryOrReport(readStdin, fail);
    if (!place) {
      await answerElsewhere(words, input ?? "", env, fail);
      return { isOver: false };
    }
    if (words.problem !== undefined) fail(new Error(words.problem));
    const answered = words.toDriver && input !== undefined ? await askDriver(env, input) : undefined;
    if (answered !== undefined) {
      if (answered !== "") writeSync(1, answered);
      return { isOver: false };
    }
    const { home, folder, refuseLinks } = place;
    const caller = markedCaller(env);
    const { redact } = createRedactor({ env });
    const parts = { files: hookFiles(home), redact: <T>(value: T) => redactValue(value, redact) };
    const call = { ...words, folder, caller, via: "command" as const, at: new Date().toISOString() };
    const keep = (text: string): ReturnType<typeof receiveHook> => {
      refuseLinks();
      return receiveHook(parts, { ...call, input: text });
    };
    const kept = input === undefined ? undefined : tryOrReport(() => keep(input), fail);
    // The driver of an agent tells it itself; a hook of the user's own settings, which comes beside that, does not repeat it.
    const isRehydratedByDriver = caller !== undefined && env[hookVariables.url] !== undefined && !words.toDriver;
    const answerers = hookAnswerers(
      place,
      env,
      isRehydratedByDriver ? { ...loaded, rehydrate: async () => undefined } : loaded,
    );
    const question = { ...hookNames(words, input ?? ""), folder, caller };
    const given = await answer(question, answerers, fail);
    tryOrReport(() => keepDenial(parts, question, given, new Date().toISOString()), fail);
    return { isOver: kept?.event === "SessionEnd" && caller === undefined };
  } catch (error) {
    fail(error);
    return { isOver: false };
  }
}

/** Outside a repository, and where Clew was never set up, nothing is kept, and the user's own rules count. */
async function answerElsewhere(
  words: ReturnType<typeof readHookWords>,
  input: string,
  env: Record<string, string | undefined>,
  fail: (error: unknown) => void,
): Promise<void> {
  const question = { ...hookNames(words, input), folder: hookFolders(env)[0] ?? "/", caller: markedCaller(env) };
  await answer(question, [lazyPolicyAnswerer(undefined, env)], fail);
}

async function answer(
  question: HookQuestion,
  answerers: readonly HookAnswerer[],
  fail: (error: unknown) => void,
): Promise<HookAnswer> {
  const { event, engine } = question;
  const given = await answerHook(answerers, question, fail);
  const { stdout, stderr, exitCode } = commandAnswer(engine, event, given);
  if (stdout !== "") writeSync(1, stdout);
  if (stderr !== "") writeSync(2, stderr);
  process.exitCode = exitCode;
  return given;
}

/** What the work returns; undefined when it threw, which is told. */
function tryOrReport<T>(work: () => T, fail: (error: unknown) => void): T | undefined {
  try {
    return work();
  } catch (error) {
    fail(error);
    return undefined;
  }
}

function tellFault(
  place: HookPlace | undefined,
  event: string,
  error: unknown,
  env: Record<string, string | undefined>,
): void {
  const message = error instanceof Error ? error.message : String(error);
  const { redact } = createRedactor({ env });
  const fault = redactValue(
    { at: new Date().toISOString(), event: event.slice(0, 64), what: message.slice(0, 1000) },
    redact,
  );
  // Engines keep this for those who look why a hook failed.
  attempt(() => writeSync(2, `clew hook: ${fault.what}\n`), 0);
  if (place) noteFault(place.home, fault);
}
