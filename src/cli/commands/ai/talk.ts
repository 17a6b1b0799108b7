import type { TalkNews } from "../../../contract/api/agent.ts";
import type { ResultEvent } from "../../../contract/engine.ts";
import { optionOf, wordsFor } from "../../../contract/permission-values.ts";
import type { PermissionLevel } from "../../../contract/engine-abilities.ts";
import type { CliContext, JsonOption } from "../../context.ts";
import type { LimitOptions } from "../../limit-options.ts";
import { AgentView } from "../../terminal/agent-view.ts";
import { clean, cleanLine } from "../../terminal/clean.ts";
import { talkEnd } from "../../terminal/talk-end-view.ts";
import { fit } from "../../terminal/width.ts";
import { formatDuration } from "../../../text/duration.ts";
import { typedWord, wordTexts } from "../../typed-permission.ts";

export interface AiOptions extends JsonOption, LimitOptions {
  oneShot?: boolean;
  stdin?: boolean;
  resume?: string;
  model?: string;
  agent?: string;
  level?: PermissionLevel;
  quiet?: boolean;
  verbose?: boolean;
  /** Whether a line at the bottom tells what the agent is at, and for how long it has worked: nobody types beside it. */
  showsTime?: boolean;
}

type Ended = Extract<TalkNews, { type: "ended" }>;

const exitCodes: Record<Ended["status"], number> = { completed: 0, failed: 1, paused: 130 };

export function talkExitCode({ status, limit, permission }: Ended): number {
  return limit || permission ? 4 : exitCodes[status];
}
type Asked = Extract<TalkNews, { type: "permission" }>;

/** Shows a talk while it goes on; what is typed goes to the agent, Ctrl-C pauses it. Returns how it ended. */
export async function talkInTerminal(
  context: CliContext,
  stream: AsyncIterable<TalkNews>,
  options: AiOptions,
): Promise<Ended> {
  const talk = new Talk(context, options);
  context.output.muteProgress();
  const endStatus = talk.beginStatus();
  try {
    for await (const news of stream) await talk.take(news);
  } finally {
    endStatus();
    context.input.closeStdin();
  }
  return talk.ended!;
}

class Talk {
  readonly #context: CliContext;
  readonly #options: AiOptions;
  readonly #view: AgentView;
  #agent = "";
  /** Whether stdin is read already: one agent may follow another. */
  #isReading = false;
  /** Permissions that wait for this person, the oldest first. */
  #asked: Asked[] = [];
  ended: Ended | undefined;

  constructor(context: CliContext, options: AiOptions) {
    this.#context = context;
    this.#options = options;
    this.#view = new AgentView(context.terminal);
  }

  /** Tells every second what the agent is at, where it can be told. Returns what ends that. */
  beginStatus(): () => void {
    const { output, terminal, input } = this.#context;
    const { json, quiet, showsTime } = this.#options;
    if (!showsTime || json || quiet || !terminal.canRedraw || !input.interactive) return () => undefined;
    const begunMs = terminal.nowMs();
    const timer = setInterval(() => {
      const current = this.#view.current;
      if (this.ended || this.#agent === "" || this.#asked.length > 0 || current === undefined) return;
      const elapsed = formatDuration(1000 * Math.floor((terminal.nowMs() - begunMs) / 1000));
      output.sayForNow(terminal.errorColors.dim(fit(`… ${elapsed} · ${current}`, terminal.width - 1)));
    }, 1000);
    return () => clearInterval(timer);
  }

  async take(news: TalkNews): Promise<void> {
    const { output } = this.#context;
    const { json, quiet, verbose } = this.#options;
    if (json) await output.writeJson(news);
    else if (verbose && news.type === "event") output.say(JSON.stringify(news.event));
    if (news.type === "started") this.#begin(news.agent);
    if (news.type === "ended") await this.#end(news);
    if (news.type === "event" && !json && !quiet) await output.write(this.#view.add(news.event));
    if (news.type === "permission") this.#ask(news);
    if (news.type === "warning" && !json)
      output.say(`${this.#context.terminal.errorColors.yellow("warning:")} ${cleanLine(news.message)}`);
    if (news.type === "answered") this.#forget(news.permission);
    if (news.type === "event" && news.event.type === "result") this.#offerMore(news.event);
  }

  #begin(agent: string): void {
    this.#agent = agent;
    const { input, api } = this.#context;
    void input.untilInterrupted().then(() => api.agents.stop({ agent, pause: true }));
    const { oneShot, stdin } = this.#options;
    if (this.#isReading) return;
    this.#isReading = true;
    if (!stdin && (input.interactive || !oneShot)) void this.#readMessages();
  }

  /** A person's lines go to the agent at once, also while it works; those of a pipe one after the other. */
  async #readMessages(): Promise<void> {
    const { input, api } = this.#context;
    for await (const lines of input.stdinLines()) {
      for (const line of lines) {
        if (this.ended) return;
        if (this.#asked.length > 0) await this.#answer(line ?? "");
        else if (this.#options.oneShot) continue;
        else if (line) await this.#send(line);
        else if (input.interactive) return void (await api.agents.stop({ agent: this.#agent, pause: false }));
      }
    }
    await this.#rest;
    if (!this.ended && !this.#options.oneShot) await api.agents.stop({ agent: this.#agent, pause: false });
  }

  #settled = (): void => {};
  #rest: Promise<void> = new Promise((resolve) => (this.#settled = resolve));

  async #send(text: string): Promise<void> {
    const { api, output, input } = this.#context;
    if (!input.interactive) await this.#rest;
    this.#rest = new Promise((resolve) => (this.#settled = resolve));
    await api.agents.send({ agent: this.#agent, text }).catch((error: Error) => output.say(cleanLine(error.message)));
  }

  #ask(asked: Asked): void {
    this.#asked.push(asked);
    if (this.#asked.length === 1) this.#show(asked);
  }

  #forget(permission: string): void {
    const [first] = this.#asked;
    this.#asked = this.#asked.filter((each) => each.permission !== permission);
    const [next] = this.#asked;
    if (next && next !== first) this.#show(next);
  }

  /** One question at a time, so that it is clear which one an answer means. */
  #show(asked: Asked): void {
    const { output, terminal, input } = this.#context;
    if (this.#options.json) return;
    const { errorColors } = terminal;
    const words = wordsFor(asked).join(", ");
    const typed = wordsFor(asked)
      .map((word) => wordTexts[word])
      .join(", ");
    output.say(`${errorColors.yellow("?")} It asks to use ${cleanLine(asked.tool)}: ${clean(asked.subject)}`);
    output.say(input.interactive ? `  ${typed}? ` : `  clew inbox answer ${asked.id} ${words.replaceAll(", ", "|")}`);
  }

  async #answer(line: string): Promise<void> {
    const { api, output } = this.#context;
    const [asked] = this.#asked;
    const kind = asked && optionOf(typedWord(line, wordsFor(asked)) ?? "", asked.options);
    const option = asked?.options.find((each) => each.kind === kind);
    if (!asked || !option) {
      output.say(`  one of: ${asked ? wordsFor(asked).join(", ") : ""}`);
      return;
    }
    const request = { agent: this.#agent, permission: asked.permission, option: option.id };
    await api.agents.answer(request).catch((error: Error) => output.say(cleanLine(error.message)));
  }

  #offerMore({ failed, text }: ResultEvent): void {
    this.#settled();
    const { input, output, terminal } = this.#context;
    if (failed && !this.#options.json) output.say(`${terminal.errorColors.red("!")} ${cleanLine(text)}`);
    if (this.#options.oneShot || this.#options.json || !input.interactive) return;
    output.say(terminal.errorColors.dim("your turn (an empty line ends the talk)"));
  }

  async #end(news: Ended): Promise<void> {
    this.ended = news;
    this.#settled();
    const { output, terminal } = this.#context;
    const { json, quiet } = this.#options;
    if (json) return;
    if (quiet) await output.write(news.answer === "" ? "" : `${clean(news.answer.trimEnd())}\n`);
    else await output.write(this.#view.end());
    for (const line of talkEnd(news, terminal.errorColors, quiet === true)) output.say(line);
  }
}
