import type { EngineEvent } from "../../contract/engine.ts";
import { RoundBreadcrumbs, type RoundBreadcrumb, type RoundSource } from "../../engine/round-breadcrumbs.ts";
import { addBreadcrumb } from "../session/breadcrumbs.ts";
import type { SessionParts } from "../session/parts.ts";

type Parts = Pick<SessionParts, "breadcrumbs" | "redact">;

/** Leaves a breadcrumb of every round of one agent in its session. */
export class Trail {
  readonly #parts: Parts;
  readonly #session: string;
  readonly #rounds: RoundBreadcrumbs;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(parts: Parts, session: string, source: RoundSource) {
    this.#parts = parts;
    this.#session = session;
    this.#rounds = new RoundBreadcrumbs(source);
  }

  add(event: EngineEvent, line: number): void {
    this.#write(this.#rounds.add(event, line));
  }

  /** The agent is gone. All of it is on disk when this resolves; rejects with what could not be written. */
  async end(): Promise<void> {
    this.#write(this.#rounds.end());
    await this.#writing;
  }

  #write(breadcrumbs: RoundBreadcrumb[]): void {
    for (const each of breadcrumbs) {
      this.#writing = this.#writing.then(() => addBreadcrumb(this.#parts, this.#session, each));
    }
    // Told by `end`.
    this.#writing.catch(() => undefined);
  }
}

/**
 * The breadcrumbs of a transcript that are not there yet: a crash came between. Where its lines tell no time, a round that is written late
 * is not earlier than those before it.
 */
export async function addMissingBreadcrumbs(
  parts: Parts,
  session: string,
  found: readonly RoundBreadcrumb[],
): Promise<void> {
  const place = ({ depth, transcript }: Pick<RoundBreadcrumb, "depth" | "transcript">): string =>
    `${depth} ${transcript?.file} ${transcript?.from}`;
  const { breadcrumbs } = await parts.breadcrumbs.list(session);
  const known = new Map(breadcrumbs.map((each) => [place(each), each]));
  const firstLine = ({ transcript }: RoundBreadcrumb): number => transcript?.from ?? 0;
  let earliestMs = -Infinity;
  for (const each of found.toSorted((a, b) => firstLine(a) - firstLine(b))) {
    const there = known.get(place(each));
    earliestMs = Math.max(earliestMs, Date.parse((there ?? each).timestamp));
    if (!there) await addBreadcrumb(parts, session, { ...each, timestamp: new Date(earliestMs).toISOString() });
  }
}
