import type { PlanNews } from "../../../../contract/api/turn.ts";
import { ClewError } from "../../../../contract/errors.ts";
import { formatDuration } from "../../../../text/duration.ts";
import { formatCount } from "../../../../text/figures.ts";
import type { CliContext } from "../../../context.ts";
import { cleanLine } from "../../../terminal/clean.ts";
import { viewPlanned } from "../../../terminal/plan-view.ts";
import { fit } from "../../../terminal/width.ts";

type PlannedNews = Extract<PlanNews, { type: "planned" }>;
type Asking = Extract<PlanNews, { type: "asking" }>;

/** Shows how a plan comes about, then the plan. Ctrl-C ends the agent, and leaves nothing. */
export async function showPlanning(
  context: CliContext,
  stream: AsyncIterable<PlanNews>,
  interrupt: AbortController,
  json: boolean | undefined,
): Promise<void> {
  const { output, input, terminal } = context;
  output.muteProgress();
  void input.untilInterrupted().then(() => interrupt.abort());
  const progress = new PlanProgress(context, json === true);
  try {
    for await (const news of stream) {
      if (json && news.type !== "progress") await output.writeJson(news);
      progress.take(news);
      if (news.type !== "planned") continue;
      if (!json) sayBeside(context, news);
      if (!json) await output.page(`${viewPlanned(terminal, news)}\n`);
      if (!news.plan) context.exitCode = 2;
    }
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    throw new ClewError("interrupted", "the plan was given up; no turn was made", "plan again when you like");
  } finally {
    progress.end();
    input.closeStdin();
  }
}

/** What the engine could not turn off: then `_context.log` is not all that the model saw. */
function sayBeside({ output, terminal }: CliContext, { engine, beside_context: beside }: PlannedNews): void {
  if (beside.length === 0) return;
  const words = beside.map((each) => besideWords[each] ?? cleanLine(each)).join(", ");
  output.say(terminal.errorColors.dim(`beside _context.log, ${engine} showed its model: ${words}`));
}

const besideWords: Record<string, string> = {
  system_prompt: "a system prompt of its own",
  tools: "its tools",
  user_memory: "your own instructions",
  project_memory: "instructions of the repository",
  hooks: "words of hooks",
  mcp: "servers of tools",
  environment: "date, system and folder",
};

/** A line at the bottom of a terminal: for how long it has been asked, and how much has come in. */
class PlanProgress {
  readonly #context: CliContext;
  readonly #isQuiet: boolean;
  #asking: Asking | undefined;
  #chars = 0;
  readonly #timer: NodeJS.Timeout | undefined;

  constructor(context: CliContext, isQuiet: boolean) {
    this.#context = context;
    this.#isQuiet = isQuiet;
    const { terminal } = context;
    const begunMs = terminal.nowMs();
    if (isQuiet || !terminal.canRedraw) return;
    this.#timer = setInterval(() => this.#draw(terminal.nowMs() - begunMs), 1000);
  }

  take(news: PlanNews): void {
    const { output, terminal } = this.#context;
    if (news.type === "progress") this.#chars = news.chars;
    if (news.type === "warning" && !this.#isQuiet)
      output.say(`${terminal.errorColors.yellow("warning:")} ${cleanLine(news.message)}`);
    if (news.type !== "asking") return;
    this.#asking = news;
    this.#chars = 0;
    if (!this.#isQuiet) output.say(terminal.errorColors.dim(this.#words(news)));
  }

  end(): void {
    clearInterval(this.#timer);
  }

  #words({ agent, engine, turn, repair, tokens }: Asking): string {
    const what = repair === 0 ? `plans turn ${turn}` : `repairs the plan of turn ${turn} (${repair} of 2)`;
    return `${cleanLine(agent)} on ${engine} ${what}, from about ${formatCount(tokens)} tokens`;
  }

  #draw(elapsedMs: number): void {
    if (!this.#asking) return;
    const { output, terminal } = this.#context;
    const elapsed = formatDuration(1000 * Math.floor(elapsedMs / 1000));
    const came = this.#chars === 0 ? "waits for the first words" : `${formatCount(this.#chars)} characters`;
    output.sayForNow(terminal.errorColors.dim(fit(`… ${elapsed} · ${came}`, terminal.width - 1)));
  }
}
