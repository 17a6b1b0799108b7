import type { TalkNews } from "../../../contract/api/agent.ts";
import type { StopReason, WorkNews } from "../../../contract/api/work.ts";
import type { CliContext } from "../../context.ts";
import { workEndLines, workTaskLine } from "../../terminal/work-view.ts";
import { talkInTerminal, type AiOptions } from "../ai/talk.ts";

export const workExitCodes: Record<StopReason, number> = {
  done: 0,
  failed: 1,
  paused: 4,
  limit: 4,
  permission: 4,
  engine: 4,
  branch: 4,
  waiting: 4,
  interrupted: 130,
};

type WorkEnded = Extract<WorkNews, { type: "ended" }>;

/** Shows the work while it goes on, as a talk is shown; Ctrl-C pauses it. Returns how it ended. */
export async function workInTerminal(
  context: CliContext,
  stream: AsyncIterable<WorkNews>,
  options: Pick<AiOptions, "json" | "quiet" | "verbose">,
): Promise<WorkEnded> {
  const { output, terminal } = context;
  let ended: WorkEnded | undefined;
  async function* agents(): AsyncGenerator<TalkNews> {
    for await (const news of stream) {
      if (news.type === "task" || news.type === "task_done") {
        if (options.json) await output.writeJson(news);
        else if (!options.quiet) output.say(workTaskLine(news, terminal.errorColors));
        continue;
      }
      if (news.type === "ended") ended = news;
      yield news.type === "ended" && !options.json ? withoutPause(news) : news;
    }
  }
  await talkInTerminal(context, agents(), { ...options, oneShot: true, showsTime: true });
  if (!options.json) for (const line of workEndLines(ended!, terminal.errorColors)) output.say(line);
  return ended!;
}

/** Why it was paused is told in a line of its own. */
function withoutPause(news: WorkEnded): WorkEnded {
  if (news.status === "failed") return news;
  const { error: _, limit: __, ...rest } = news;
  return rest;
}
