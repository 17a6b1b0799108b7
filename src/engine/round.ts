import type { Breadcrumb } from "../contract/breadcrumb.ts";
import type { Usage } from "../contract/run.ts";

/** A tool call of a round. */
export interface Call {
  name: string;
  about: string | undefined;
  startedMs: number;
  /** Undefined while it has no result. */
  endedMs?: number;
  /** The files that it writes. */
  files: string[];
  failed: boolean;
}

/** What one line of a transcript adds to a round. */
export interface RoundPart {
  line: number;
  atMs: number;
  text?: string;
  call?: Call;
}

/** One exchange with a model, while it is put together. */
export class Round {
  prompt: string | undefined;
  /** The bead that it works on. */
  readonly task: string | undefined;
  usage: Usage | undefined;
  /** By which the engine tells what the round used. */
  messageId: string | undefined;
  /** The model that was asked, where its figures name it. */
  model: string | undefined;
  /** A call of it has its result. */
  hasResult = false;
  #parts: RoundPart[] = [];

  constructor(prompt: string | undefined, task: string | undefined) {
    this.prompt = prompt;
    this.task = task;
  }

  get from(): number {
    return this.#parts.reduce((least, { line }) => Math.min(least, line), Infinity);
  }

  get to(): number {
    return this.#parts.reduce((most, { line }) => Math.max(most, line), 0);
  }

  get beganMs(): number {
    return this.#parts[0]?.atMs ?? 0;
  }

  /** What the agent said. */
  get response(): string {
    const texts = this.#parts.flatMap(({ text = "" }) => (text.trim() === "" ? [] : [text.trim()]));
    return texts.join("\n\n");
  }

  add(part: RoundPart): void {
    this.#parts.push(part);
  }

  /** One of its calls has a result, in this line. */
  end(line: number, atMs: number): void {
    this.hasResult = true;
    this.#parts.push({ line, atMs });
  }

  /** Takes out what came with a line. */
  takeLine(line: number): RoundPart[] {
    const taken = this.#parts.filter((part) => part.line === line);
    this.#parts = this.#parts.filter((part) => part.line !== line);
    return taken;
  }

  /** Takes over all that another round has. */
  take(other: Round): void {
    this.#parts.push(...other.#parts);
    this.hasResult ||= other.hasResult;
  }

  /** What a breadcrumb tells of it. */
  content(): Omit<Partial<Breadcrumb>, "kind"> {
    const { response, prompt, usage } = this;
    const calls = this.#parts.flatMap(({ call }) => call ?? []);
    const files = [...new Set(calls.flatMap((call) => (call.failed ? [] : call.files)))];
    const tools = calls.map(({ name, about, failed, startedMs, endedMs }) => ({
      name,
      ...(about !== undefined && { about }),
      failed,
      at: new Date(startedMs).toISOString(),
      ...(endedMs !== undefined && { duration_ms: Math.max(0, endedMs - startedMs) }),
    }));
    return {
      ...(prompt !== undefined && { prompt }),
      ...(response !== "" && { response }),
      ...(tools.length > 0 && { tools_called: tools }),
      ...(files.length > 0 && { files_modified: files }),
      ...(usage && { tokens: tokensOf(usage) }),
      duration_ms: Math.max(0, (this.#parts.at(-1)?.atMs ?? 0) - this.beganMs),
    };
  }
}

function tokensOf({
  input_tokens: input,
  output_tokens: output,
  cached_input_tokens: cached,
}: Usage): NonNullable<Breadcrumb["tokens"]> {
  return { input, output, ...(cached !== undefined && { cached }) };
}
