import type { Breadcrumb } from "../contract/breadcrumb.ts";
import type { EngineEvent, UsageEvent } from "../contract/engine.ts";
import { addUsage, type Usage } from "../contract/run.ts";
import { callSubject } from "../text/tool-call.ts";
import { editedFiles } from "./edit-tools.ts";
import type { PriceTable } from "./prices.ts";
import { fieldsOf, textOf } from "./read-fields.ts";
import { Round, type Call } from "./round.ts";
import { difference, UsageCount } from "./usage-count.ts";

/** What is known of an agent before it says anything. */
export interface RoundSource {
  engine: string;
  /** Undefined when it is not known any more. */
  prompt: string | undefined;
  /** Milliseconds since 1970. */
  now: () => number;
  /** What was asked for; the engine may tell another. */
  model?: string | undefined;
  engineSession?: string | undefined;
  /** The name of its file in the session's folder of transcripts. */
  transcriptFile?: string | undefined;
  /** Files below this folder are named from there. */
  folder?: string | undefined;
  /** The bead that it works on. */
  task?: (() => string) | undefined;
  /** Undefined while they are not loaded: then costs are left out, where the engine tells none. */
  prices?: () => PriceTable | undefined;
}

export type RoundBreadcrumb = Omit<Breadcrumb, "kind"> & { kind: "round" };

/** The session's own agent, or a subagent of it. */
interface Speaker {
  depth: number;
  /** The call that started it; undefined for the session's own agent. */
  call: string | undefined;
  /** What it is told before its next round. */
  prompt: string | undefined;
  /** A round that was counted, and may still get more of what belongs to it. */
  counted: Round | undefined;
  /** What it did since, in a round that is not counted yet. */
  uncounted: Round | undefined;
}

/**
 * Makes one breadcrumb of each round of an agent. A round is what `UsageCount` counts as one; it is told when the next one of
 * the same speaker is counted, at a result and in the end, and so is one that the agent's end cut off. The same events give the same breadcrumbs, but for the times.
 */
export class RoundBreadcrumbs {
  readonly #source: RoundSource;
  readonly #count = new UsageCount();
  /** By the call under which it works. */
  readonly #speakers = new Map<string | undefined, Speaker>();
  /** Calls by id, with the round that made them, until the round is told. */
  readonly #calls = new Map<string, { call: Call; round: Round }>();
  /** How deep each call was made, and what a subagent under it is asked; kept for good: subagents come later. */
  readonly #parents = new Map<string, { depth: number; prompt: string | undefined }>();
  /** What rounds so far used in all. */
  #known: Usage = { input_tokens: 0, output_tokens: 0 };
  #model: string | undefined;
  #engineSession: string | undefined;

  constructor(source: RoundSource) {
    this.#source = source;
    this.#model = source.model;
    this.#engineSession = source.engineSession;
    this.#speakers.set(undefined, newSpeaker(undefined, 0, source.prompt));
  }

  /** `line` is the number of the transcript's line that the event came from, from 1. Returns the rounds that are complete now. */
  add(event: EngineEvent, line: number): RoundBreadcrumb[] {
    switch (event.type) {
      case "init":
        this.#model = event.model ?? this.#model;
        this.#engineSession = event.engine_session ?? this.#engineSession;
        return [];
      case "message":
      case "thinking":
        this.#roundOf(event).add({
          line,
          atMs: this.#source.now(),
          ...(event.type === "message" && { text: event.text }),
        });
        return [];
      case "tool_call": {
        const { id, name, input, parent } = event;
        const round = this.#roundOf(event);
        const files = editedFiles(name, input).map((path) => this.#shortPath(path));
        const atMs = this.#source.now();
        const call: Call = { name, about: callSubject(input), startedMs: atMs, files, failed: false };
        round.add({ line, atMs, call });
        this.#calls.set(id, { call, round });
        const { prompt, description } = fieldsOf(input);
        this.#parents.set(id, { depth: this.#speaker(parent).depth, prompt: textOf(prompt) ?? textOf(description) });
        return [];
      }
      case "tool_result": {
        const known = this.#calls.get(event.id);
        if (!known) return [];
        known.call.failed = event.failed;
        known.call.endedMs = this.#source.now();
        known.round.end(line, known.call.endedMs);
        return [];
      }
      case "usage":
        return this.#addUsage(event, line);
      case "result":
        return this.#addResult(event, line);
      default:
        return [];
    }
  }

  /** The agent is gone. What it began and was not counted is told, too: it may be all that an engine left that counts late. */
  end(): RoundBreadcrumb[] {
    return [...this.#speakers.values()].flatMap((speaker) => {
      const { counted, uncounted } = speaker;
      speaker.counted = speaker.uncounted = undefined;
      return [...this.#tell(counted, speaker), ...this.#tell(uncounted, speaker)];
    });
  }

  #addUsage(event: UsageEvent, line: number): RoundBreadcrumb[] {
    const { of, message_id: id, type: _, parent, model, ...usage } = event;
    const speaker = this.#speaker(parent);
    const roundsBefore = this.#count.rounds;
    this.#count.add(event);
    const isNew = this.#count.rounds > roundsBefore;
    if (of === "session") {
      const used = { ...difference(usage, this.#known), ...costSince(usage, this.#known) };
      this.#known = usage;
      return isNew ? this.#countRound(speaker, line, used) : [];
    }
    if (isNew) {
      this.#known = addUsage(this.#known, usage);
      return this.#countRound(speaker, line, usage, { id, model });
    }
    // Told again: the figures have grown, and so has the message.
    const round = [...this.#speakers.values()].find(({ counted }) => counted?.messageId === id)?.counted;
    if (!round) return [];
    if (round.usage) this.#known = addUsage(difference(this.#known, round.usage), usage);
    round.usage = usage;
    const { uncounted } = speaker;
    if (speaker.counted === round && uncounted?.from === line) this.#merge(round, speaker);
    return [];
  }

  #addResult(event: EngineEvent & { type: "result" }, line: number): RoundBreadcrumb[] {
    const own = this.#speaker(undefined);
    const roundsBefore = this.#count.rounds;
    this.#count.add(event);
    const told = this.#count.rounds > roundsBefore ? this.#countRound(own, line) : [];
    if (own.counted && own.counted.response === "" && event.text !== "") {
      own.counted.add({ line, atMs: this.#source.now(), text: event.text });
    }
    return [...told, ...this.#tellRest(own)];
  }

  /** A round of this speaker was counted: what it did since the one before, and what the line itself tells. */
  #countRound(
    speaker: Speaker,
    line: number,
    usage?: Usage,
    message: { id?: string | undefined; model?: string | undefined } = {},
  ): RoundBreadcrumb[] {
    const ofLine = speaker.uncounted ? [] : (speaker.counted?.takeLine(line) ?? []);
    const told = this.#tell(speaker.counted, speaker);
    const round = speaker.uncounted ?? this.#newRound(speaker);
    for (const part of ofLine) {
      round.add(part);
      for (const known of this.#calls.values()) if (known.call === part.call) known.round = round;
    }
    round.add({ line, atMs: this.#source.now() });
    round.usage = usage;
    round.messageId = message.id;
    round.model = message.model;
    speaker.counted = round;
    speaker.uncounted = undefined;
    return told;
  }

  #tellRest(speaker: Speaker): RoundBreadcrumb[] {
    const round = speaker.counted;
    if (!round) return [];
    this.#merge(round, speaker);
    speaker.counted = undefined;
    return this.#tell(round, speaker);
  }

  #merge(round: Round, speaker: Speaker): void {
    const { uncounted } = speaker;
    if (!uncounted) return;
    round.take(uncounted);
    if (uncounted.prompt !== undefined && round.prompt === undefined) round.prompt = uncounted.prompt;
    for (const known of this.#calls.values()) if (known.round === uncounted) known.round = round;
    speaker.uncounted = undefined;
  }

  #tell(round: Round | undefined, { depth, call }: Speaker): RoundBreadcrumb[] {
    if (!round) return [];
    for (const [id, known] of this.#calls) if (known.round === round) this.#calls.delete(id);
    const { engine, transcriptFile: file } = this.#source;
    const { task } = round;
    // A subagent may ask another model than its agent.
    const model = round.model ?? (depth === 0 ? this.#model : undefined);
    const cost = round.usage && this.#costOf(round.usage, model);
    return [
      {
        version: 1,
        timestamp: new Date(round.beganMs).toISOString(),
        depth,
        kind: "round",
        ...(call !== undefined && { call }),
        ...round.content(),
        ...(cost !== undefined && { cost_usd: cost }),
        ...(model !== undefined && { model }),
        engine,
        ...(this.#engineSession !== undefined && { engine_session: this.#engineSession }),
        ...(file !== undefined && { transcript: { file, from: round.from, to: round.to } }),
        ...(task !== undefined && { task }),
      },
    ];
  }

  #costOf(usage: Usage, model: string | undefined): number | undefined {
    return usage.cost_usd ?? (model === undefined ? undefined : this.#source.prices?.()?.(model)?.(usage));
  }

  /**
   * The round to which something belongs that a speaker does now: that of its message. Where no message is named, a model was asked
   * again after a call's result.
   */
  #roundOf({ parent, message_id: id }: { parent?: string; message_id?: string }): Round {
    const speaker = this.#speaker(parent);
    const { counted } = speaker;
    if (counted && (!counted.hasResult || (id !== undefined && counted.messageId === id))) return counted;
    return (speaker.uncounted ??= this.#newRound(speaker));
  }

  #newRound(speaker: Speaker): Round {
    const round = new Round(speaker.prompt, this.#source.task?.());
    speaker.prompt = undefined;
    return round;
  }

  #speaker(parent: string | undefined): Speaker {
    const known = this.#speakers.get(parent);
    if (known) return known;
    const call = parent === undefined ? undefined : this.#parents.get(parent);
    const speaker = newSpeaker(parent, (call?.depth ?? 0) + 1, call?.prompt);
    this.#speakers.set(parent, speaker);
    return speaker;
  }

  #shortPath(path: string): string {
    const { folder } = this.#source;
    return folder !== undefined && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
  }
}

function newSpeaker(call: string | undefined, depth: number, prompt: string | undefined): Speaker {
  return { call, depth, prompt, counted: undefined, uncounted: undefined };
}

function costSince({ cost_usd: now }: Usage, { cost_usd: before = 0 }: Usage): Pick<Usage, "cost_usd"> {
  return now === undefined ? {} : { cost_usd: Math.max(0, now - before) };
}
