import type { TalkNews } from "../../contract/api/agent.ts";
import type { Usage } from "../../contract/run.ts";
import { clean, cleanLine } from "./clean.ts";
import type { Colors } from "./colors.ts";

/** How a talk ended: what went wrong, what it used, and how to go on. With `quiet`, only what went wrong. */
export function talkEnd(
  { status, session_id, engine_session, usage, error, limit, permission }: Extract<TalkNews, { type: "ended" }>,
  colors: Colors,
  quiet: boolean,
): string[] {
  const failure = error === undefined ? [] : [`${colors.red("error:")} ${clean(error)}`];
  const pauses = [limit, permission].flatMap((each) => each ?? []);
  const paused = pauses.map(
    ({ message, command }) => `${colors.yellow("⏸")} it ${cleanLine(message)}; ${cleanLine(command)} goes on`,
  );
  if (quiet) return [...failure, ...paused];
  const cost = usage?.cost_usd === undefined ? [] : [`$${usage.cost_usd.toFixed(4)}`];
  const tokens = usage ? [tokensText(usage), ...cost] : [];
  const own = engine_session === null ? [] : [`engine session ${cleanLine(engine_session)}`];
  const facts = [status, `session ${session_id}`, ...own, ...tokens].join(" · ");
  return [...failure, ...paused, colors.dim(facts)];
}

function tokensText({ input_tokens, cached_input_tokens, output_tokens }: Usage): string {
  const cached = cached_input_tokens === undefined ? "" : ` (${cached_input_tokens} cached)`;
  return `${input_tokens} tokens in${cached}, ${output_tokens} out`;
}
