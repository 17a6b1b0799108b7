import type { TalkNews } from "../../contract/api/agent.ts";
import { clean, cleanLine } from "./clean.ts";
import type { Colors } from "./colors.ts";

/** How a talk ended: what went wrong, what it used, and how to go on. With `quiet`, only what went wrong. */
export function talkEnd(
  { status, session_id, engine_session, usage, error }: Extract<TalkNews, { type: "ended" }>,
  colors: Colors,
  quiet: boolean,
): string[] {
  const failure = error === undefined ? [] : [`${colors.red("error:")} ${clean(error)}`];
  if (quiet) return failure;
  const cost = usage?.cost_usd === undefined ? [] : [`$${usage.cost_usd.toFixed(4)}`];
  const tokens = usage ? [`${usage.input_tokens} tokens in, ${usage.output_tokens} out`, ...cost] : [];
  const own = engine_session === null ? [] : [`engine session ${cleanLine(engine_session)}`];
  const facts = [status, `session ${session_id}`, ...own, ...tokens].join(" · ");
  return [...failure, colors.dim(facts)];
}
