import * as z from "zod/mini";
import { agentResult, type AgentResult, type ResultEvent } from "../contract/engine.ts";
import type { Json } from "../contract/json.ts";
import type { EngineState } from "./fold.ts";
import { objectIn } from "./read-fields.ts";
import { truncateLine } from "./truncate-line.ts";

/** How an engine's process came to its end. */
export interface EngineEnd {
  code: number | null;
  signal: string | null;
  /** The end of what it wrote to stderr. */
  stderr: string;
}

/**
 * Whether an agent step succeeded. An agent that says that it failed gave a result all the same; of one that gave none, what
 * it said last is kept as `words`.
 */
export type Verdict =
  | { success: true; result: AgentResult }
  | { success: false; result?: AgentResult; words?: string; error: string };

const maxQuoteChars = 500;

/** What an agent handed in by the tool `submit_result`. */
export interface HandedIn {
  /** The last result that was accepted. */
  result?: AgentResult;
  /** Why the last one was refused, when no other came after it. */
  complaint?: string;
  /** What the engine said of its last call, when that failed. */
  failure?: string;
}

/** What is wrong with a result, in words that complete "its result …"; undefined when it is as it was asked for. */
export function resultProblem(value: Json): string | undefined {
  const parsed = z.safeParse(agentResult, value);
  return parsed.success ? undefined : parsed.error.issues[0]!.message;
}

/** A value that has no `resultProblem`, without what was not asked for. */
export function resultOf(value: Json): AgentResult {
  const { success, summary, status, task, outputs } = z.parse(agentResult, value);
  return { success, summary, ...(status && { status }), ...(task && { task }), ...(outputs && { outputs }) };
}

/**
 * A step succeeds only with a terminal event and a valid result that says so: handed in by the tool, else in the form that the
 * engine gives it, else as the last message. The exit code proves nothing: Claude exits with 0 when it was interrupted.
 */
export function judge(
  state: EngineState,
  end: EngineEnd,
  { result: handedIn, complaint, failure }: HandedIn = {},
): Verdict {
  const last = state.result;
  const failed = (error: string): Verdict => {
    const words = last && !last.failed && last.text.trim() !== "" ? last.text : state.message;
    return { success: false, ...(words !== undefined && { words }), error };
  };
  if (!last) return failed(noResultMessage(state, end));
  if (last.failed) return failed(`the engine said: ${quote(last.text)}${refusals(last)}`);
  const told = last.structured ?? jsonIn(last.text);
  const problem = told === undefined ? wrongFormMessage(last) : wrongResult(told);
  if (handedIn) {
    const other = problem === undefined && told !== undefined ? resultOf(told) : handedIn;
    if (other.success !== handedIn.success) return failed(contradiction(handedIn, other));
    return verdictOn(handedIn, last);
  }
  if (problem === undefined) return verdictOn(resultOf(told!), last);
  if (complaint !== undefined) return failed(`the result that it handed in ${complaint}, and it gave no other`);
  return failed(
    failure === undefined ? problem : `its call of submit_result failed (${quote(failure)}), and ${problem}`,
  );
}

function wrongResult(value: Json): string | undefined {
  const problem = resultProblem(value);
  return problem === undefined ? undefined : `its result ${problem}`;
}

function contradiction(handedIn: AgentResult, told: AgentResult): string {
  const words = ({ success, summary }: AgentResult): string => `${success ? "success" : "failure"} (${quote(summary)})`;
  return `it gave two results that contradict each other: handed in ${words(handedIn)}, said at the end ${words(told)}`;
}

function verdictOn(result: AgentResult, last: ResultEvent): Verdict {
  if (result.status === "paused") {
    return { success: false, result, error: `the agent stopped before it was done: ${quote(result.summary)}` };
  }
  if (result.success) return { success: true, result };
  return { success: false, result, error: `the agent could not do it: ${quote(result.summary)}${refusals(last)}` };
}

/** The JSON object that an answer ends in, bare or in a fence; what an agent says before it is no harm. */
function jsonIn(text: string): Json | undefined {
  const answer = text.trim();
  const fenced = /(?:^|\n)```(?:json)?[ \t]*\r?\n((?:(?!```)[\s\S])*?)\r?\n```$/.exec(answer)?.[1];
  if (fenced !== undefined) return objectIn(fenced);
  const whole = objectIn(answer);
  if (whole !== undefined) return whole;
  // From the end: an object begins on a line of its own. A few tries are enough for one that is written over many lines.
  let at = answer.length;
  for (let tries = 0; tries < maxTries && at > 0; tries++) {
    at = answer.lastIndexOf("\n{", at - 1);
    if (at < 0) return undefined;
    const object = objectIn(answer.slice(at + 1));
    if (object !== undefined) return object;
  }
  return undefined;
}

const maxTries = 50;

function noResultMessage({ error, activities }: EngineState, { code, signal, stderr }: EngineEnd): string {
  const how = signal === null ? `exit code ${code ?? "unknown"}` : `ended by ${signal}`;
  const why = error ?? stderr.trim();
  const lastActivity = activities.findLast(({ kind }) => kind !== "error")?.text;
  return [
    `the engine ended without a result (${how})`,
    ...(why === "" ? [] : [`: ${quoteEnd(why)}`]),
    ...(lastActivity === undefined ? [] : [`; it was last seen at: ${lastActivity}`]),
  ].join("");
}

function wrongFormMessage(last: ResultEvent): string {
  const complaint = "its result is not the JSON object that was asked for";
  return last.text === "" ? complaint : `${complaint}, but: ${quote(last.text)}`;
}

function refusals({ denied }: ResultEvent): string {
  return denied.length === 0 ? "" : ` (it was not allowed to use ${denied.join(", ")})`;
}

function quote(text: string): string {
  return text.trim() === "" ? "nothing" : truncateLine(text, maxQuoteChars);
}

/** What a program says last is why it ended. */
function quoteEnd(text: string): string {
  return text.length <= maxQuoteChars ? quote(text) : `…${quote(text.slice(-maxQuoteChars).toWellFormed())}`;
}
