import type { TalkNews } from "../../contract/api/agent.ts";
import { clean, cleanLine } from "./clean.ts";
import type { Colors } from "./colors.ts";
import { usageText } from "./run-words.ts";

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
  const tokens = usage ? [usageText(usage)].filter((text) => text !== "") : [];
  const own = engine_session === null ? [] : [`engine session ${cleanLine(engine_session)}`];
  const facts = [status, `session ${session_id}`, ...own, ...tokens].join(" · ");
  return [...failure, ...paused, colors.dim(facts)];
}
