import { matchesFilter } from "../../bead/filter.ts";
import { readinessOf, readyBeads, startableBeads } from "../../bead/readiness.ts";
import { byUrgency, pageOf } from "../../bead/urgency.ts";
import type { BeadFilter, ListedBeads } from "../../contract/api/bead-shapes.ts";
import type { Bead } from "../../contract/bead.ts";
import type { PageRequest } from "../../contract/page.ts";
import type { Clock } from "../session/ports.ts";
import { resolveBead } from "./names.ts";
import type { BeadList, BeadStore } from "./ports.ts";

/** Which part of a list is asked for, and how much of it. */
interface ListRequest extends PageRequest {
  standings?: boolean | undefined;
}

/** Lists of beads, the most urgent first. */
export class Beads {
  readonly #store: BeadStore;
  readonly #clock: Clock;

  constructor(store: BeadStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  list(asked: BeadFilter & ListRequest = {}): ListedBeads {
    return this.#listed((beads) => byUrgency(beads.filter((bead) => matchesFilter(bead, asked))), asked);
  }

  /** What could be worked on now. */
  ready(asked: ListRequest = {}): ListedBeads {
    return this.#listed((beads) => readyBeads(beads, this.#clock.now()), asked);
  }

  /** The ready ones whose work is not that of others below them: what runs may be started on without asking. */
  startable(): BeadList {
    const { beads, unreadable } = this.#store.all();
    return { beads: startableBeads(beads, this.#clock.now()), unreadable };
  }

  /** The id of the bead that a person means. */
  resolve(name: string): string {
    return resolveBead(this.#store, name);
  }

  /** Another text whenever beads were changed, as far as that can be told without asking a program. */
  get changes(): string {
    return this.#store.changes;
  }

  /** Reads the beads anew where a program has to be asked for them. */
  refresh(): Promise<void> {
    return this.#store.refresh();
  }

  #listed(choose: (beads: Bead[]) => Bead[], asked: ListRequest): ListedBeads {
    const { beads: all, unreadable } = this.#store.all();
    const { beads, next } = pageOf(choose(all), asked);
    return {
      beads,
      unreadable,
      total: all.length,
      ...(asked.standings && { standings: this.#standings(beads, all) }),
      ...(next !== undefined && { next }),
    };
  }

  #standings(beads: Bead[], all: Bead[]): Record<string, string> {
    const readiness = readinessOf(all, this.#clock.now());
    return Object.fromEntries(beads.map((bead) => [bead.id, readiness.standingOf(bead)]));
  }
}
