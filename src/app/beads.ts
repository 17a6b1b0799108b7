import { newBeadId, newChildId } from "../bead/bead-id.ts";
import { withDependency, withFields, withLabels, withoutDependency } from "../bead/change-fields.ts";
import { withStatus } from "../bead/change-status.ts";
import {
  checkDependencyType,
  checkFields,
  checkLabels,
  checkStatus,
  checkText,
  type FieldChanges,
} from "../bead/check-fields.ts";
import { cycleThrough, isWaiting } from "../bead/dependency-cycle.ts";
import { fits, type BeadFilter } from "../bead/filter.ts";
import { newBead } from "../bead/new-bead.ts";
import { withTimes } from "../bead/read-time.ts";
import { byUrgency, parentsOf, parentType, readinessOf, readyBeads, startableBeads } from "../bead/readiness.ts";
import { dependenciesOf, dependencyType, type Bead, type BeadDependency } from "../contract/bead.ts";
import { ClewError } from "../contract/errors.ts";
import { redactJson } from "../redact/redact-json.ts";
import { graphOf, type GraphLine } from "./bead-graph.ts";
import { resolveBead, unknownBead } from "./bead-names.ts";
import type { BeadList, BeadStore, KnownBeads } from "./bead-port.ts";
import { chooseImported, readImported, type ImportResult } from "./import-beads.ts";
import type { Clock, Ids, Redact } from "./ports.ts";

interface Parts {
  store: BeadStore;
  clock: Clock;
  ids: Ids;
  redact: () => Promise<Redact>;
  /** Who makes beads and dependencies; left out when nobody knows. */
  actor: string | undefined;
}

/** A dependency as a person names it. */
export interface NamedDependency {
  type: string;
  id: string;
}

export interface NewBead extends FieldChanges {
  title: string;
  labels: string[];
  dependencies: NamedDependency[];
  parent?: string;
}

export interface BeadUpdate {
  fields: FieldChanges;
  status?: string;
  /** Why it is closed; only with the status closed. */
  reason?: string;
  addLabels: string[];
  removeLabels: string[];
}

/** A bead with what can be told of it only by looking at the others. Lists are ids where nothing else is said. */
export interface ShownBead {
  bead: Bead;
  ready: boolean;
  parents: string[];
  blocked_by: string[];
  held_by_parent: string[];
  missing: string[];
  blocks: string[];
  children: string[];
  /** Relations that nobody waits for. */
  related: NamedDependency[];
}

export type { BeadFilter, FieldChanges };

/** All that can be done with beads. */
export class Beads {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async create(asked: NewBead): Promise<Bead> {
    const { title, labels, dependencies: named, parent: parentName, ...fields } = asked;
    checkFields({ title, ...fields });
    checkLabels(labels);
    const timed = withTimes(fields, this.#parts.clock.now());
    const targets = named.map(({ type, id }) => ({ type, id: this.resolve(id) }));
    const parent = parentName === undefined ? undefined : this.resolve(parentName);
    if (parent !== undefined) targets.push({ type: parentType, id: parent });
    refuseTwice(targets);
    targets.forEach(({ type }) => checkDependencyType(type));
    const given = await this.#redacted({ fields: { title, ...timed }, labels });
    return this.#parts.store.add((known) => {
      const id = parent === undefined ? this.#newId(known) : newChildId(parent, known.ids);
      const dependencies = targets.map((each) => this.#dependency(id, each));
      return newBead({ id, ...given, dependencies, now: this.#now(), by: this.#parts.actor });
    });
  }

  list(filter: BeadFilter = {}): BeadList {
    const { beads, unreadable } = this.#parts.store.all();
    return { beads: byUrgency(beads.filter((bead) => fits(bead, filter))), unreadable };
  }

  /** What could be worked on now, the most urgent first. */
  ready(): BeadList {
    const { beads, unreadable } = this.#parts.store.all();
    return { beads: readyBeads(beads, this.#parts.clock.now()), unreadable };
  }

  /** The ready ones that no unfinished bead stands below: what runs may be started on without asking. */
  startable(): BeadList {
    const { beads, unreadable } = this.#parts.store.all();
    return { beads: startableBeads(beads, this.#parts.clock.now()), unreadable };
  }

  show(name: string): ShownBead {
    const id = this.resolve(name);
    const { beads } = this.#parts.store.all();
    const bead = beads.find((each) => each.id === id);
    if (!bead)
      throw unknownBead(
        id,
        beads.map((each) => each.id),
      );
    const readiness = readinessOf(beads, this.#parts.clock.now());
    return {
      bead,
      ready: readiness.isReady(bead),
      parents: parentsOf(bead),
      blocked_by: readiness.blockersOf(bead),
      held_by_parent: readiness.heldParentsOf(bead),
      missing: readiness.missingOf(bead),
      blocks: beads.flatMap((each) => (readiness.blockersOf(each).includes(id) ? [each.id] : [])),
      children: readiness.openChildrenOf(bead).map((each) => each.id),
      related: dependenciesOf(bead)
        .map((each) => ({ type: dependencyType(each), id: each.depends_on_id }))
        .filter(({ type }) => !isWaiting(type)),
    };
  }

  async update(name: string, { fields, status, reason, addLabels, removeLabels }: BeadUpdate): Promise<Bead> {
    checkFields(fields);
    checkLabels(addLabels);
    if (status !== undefined) checkStatus(status);
    checkText("reason", reason);
    const timed = withTimes(fields, this.#parts.clock.now());
    const given = await this.#redacted({ fields: timed, addLabels, reason });
    return this.#change(name, (bead) => {
      const now = this.#now();
      let changed = withFields(bead, given.fields, now);
      changed = withLabels(changed, { add: given.addLabels, remove: removeLabels }, now);
      if (status === undefined) return changed;
      return withStatus(changed, status, { now, ...(given.reason !== undefined && { reason: given.reason }) });
    });
  }

  close(name: string, reason?: string): Promise<Bead> {
    return this.update(name, {
      fields: {},
      status: "closed",
      addLabels: [],
      removeLabels: [],
      ...(reason !== undefined && { reason }),
    });
  }

  /** `child` depends on `parent`. */
  addDependency(child: string, parent: string, type: string): Promise<Bead> {
    checkDependencyType(type);
    const [from, to] = [this.resolve(child), this.resolve(parent)];
    if (from === to) throw new ClewError("invalid_input", `${from} cannot depend on itself`, "name two beads");
    return this.#parts.store.change(from, (bead, known) => {
      const way = isWaiting(type) ? cycleThrough((id) => known.find(id), { from, to }) : undefined;
      if (way) {
        throw new ClewError(
          "invalid_input",
          `${from} cannot wait for ${to}, which waits for it: ${[from, ...way].join(" → ")}`,
          `remove one of these first: clew bead dep remove ${way.at(-2)} ${from}`,
        );
      }
      return withDependency(bead, this.#dependency(from, { type, id: to }), this.#now());
    });
  }

  /** What a bead depends on may be gone; then it is named in full. */
  removeDependency(child: string, parent: string): Promise<Bead> {
    return this.#change(child, (bead) => {
      const now = this.#now();
      const changed = withoutDependency(bead, parent, now);
      return changed === bead ? this.#withoutNamed(bead, parent, now) : changed;
    });
  }

  /** All or nothing: with any damaged line nothing is taken. `place` is what the text is called in errors. */
  async import(text: string, place: string): Promise<ImportResult> {
    const { beads, passedOver } = readImported(text, place);
    const incoming = await this.#redacted(beads);
    let result: ImportResult | undefined;
    await this.#parts.store.put((known) => {
      const { chosen, ...counts } = chooseImported(incoming, known);
      result = { ...counts, passed_over: passedOver };
      return chosen;
    });
    return result!;
  }

  /** The picture of what waits for what: below one bead, or of all. */
  graph(name: string | undefined, all: boolean): GraphLine[] {
    const root = name === undefined ? {} : { root: this.resolve(name) };
    return graphOf(this.#parts.store.all().beads, { ...root, all }, this.#parts.clock.now());
  }

  /** Everything there is, for other programs. */
  export(): BeadList {
    return this.#parts.store.all();
  }

  /** The id of the bead that a person means. */
  resolve(name: string): string {
    return resolveBead(this.#parts.store, name);
  }

  /** Names are ids, as a rule: looking for other meanings would read the file once more. */
  async #change(name: string, change: (bead: Bead) => Bead): Promise<Bead> {
    const { store } = this.#parts;
    try {
      return await store.change(name, change);
    } catch (error) {
      if (!(error instanceof ClewError && error.code === "unknown_bead")) throw error;
      return store.change(this.resolve(name), change);
    }
  }

  #withoutNamed(bead: Bead, name: string, now: string): Bead {
    const id = this.resolve(name);
    const changed = withoutDependency(bead, id, now);
    if (changed !== bead) return changed;
    throw new ClewError(
      "invalid_input",
      `${bead.id} does not depend on ${id}`,
      `clew bead show ${bead.id} shows on what`,
    );
  }

  #newId({ prefix, ids }: KnownBeads): string {
    return newBeadId({ prefix, taken: ids, random: (length) => this.#parts.ids.random(length) });
  }

  #dependency(from: string, { type, id }: NamedDependency): BeadDependency {
    const by = this.#parts.actor;
    const created = { created_at: this.#now(), ...(by !== undefined && { created_by: by }) };
    return { issue_id: from, depends_on_id: id, type, ...created };
  }

  #now(): string {
    return new Date(this.#parts.clock.now()).toISOString();
  }

  /** Only what a command brings; what stands in the file already is not ours to change. */
  async #redacted<T>(value: T): Promise<T> {
    return holdsText(value) ? redactJson(value, await this.#parts.redact()) : value;
  }
}

/** The rules of the redactor take time to load, and many changes bring no text. */
function holdsText(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return typeof value === "string";
  return Object.values(value).some(holdsText);
}

function refuseTwice(targets: NamedDependency[]): void {
  const seen = new Set<string>();
  for (const { id } of targets) {
    if (seen.has(id)) throw new ClewError("invalid_input", `${id} is named twice`, "one dependency for each bead");
    seen.add(id);
  }
}
