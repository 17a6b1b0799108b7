import { newBeadId, newChildId } from "../bead/bead-id.ts";
import { withDependency, withFields, withLabels, withoutDependency } from "../bead/change-fields.ts";
import { asTombstone } from "../bead/tombstone.ts";
import { withStatus } from "../bead/change-status.ts";
import {
  checkDependencyType,
  checkFields,
  checkLabels,
  checkStatus,
  checkText,
  type FieldChanges,
} from "../bead/check-fields.ts";
import { circleInWords, cycleThrough, isWaiting } from "../bead/dependency-cycle.ts";
import { fits, type BeadFilter } from "../bead/filter.ts";
import { idsCalled, idsNamed } from "../bead/find-by-name.ts";
import { newBead } from "../bead/new-bead.ts";
import { withTimes } from "../bead/read-time.ts";
import { byUrgency, parentType, readinessOf, readyBeads, startableBeads } from "../bead/readiness.ts";
import { spliceMembers } from "../bead/splice-members.ts";
import { dependenciesOf, statusOf, type Bead, type BeadDependency } from "../contract/bead.ts";
import { ClewError } from "../contract/errors.ts";
import { redactJson } from "../redact/redact-json.ts";
import { graphOf, type GraphLine } from "./bead-graph.ts";
import { resolveBead, unknownBead } from "./bead-names.ts";
import type { BeadList, BeadStore, KnownBeads, UnreadableBead } from "./bead-port.ts";
import { chooseImported, readImported, type ImportResult } from "./import-beads.ts";
import type { Clock, Ids, Redact } from "./ports.ts";
import { shownBead, type NamedDependency, type ShownBead } from "./show-bead.ts";

interface Parts {
  store: BeadStore;
  clock: Clock;
  ids: Ids;
  redact: () => Promise<Redact>;
  /** Who makes beads and dependencies; left out when nobody knows. */
  actor: string | undefined;
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

/** What a list shows. */
export interface ListedBeads extends BeadList {
  /** By id, the status; of an open one that is not ready, what keeps it from that. */
  standings: ReadonlyMap<string, string>;
  /** How many there are, whatever was asked for. */
  total: number;
}

/** A bead and the one that it depends on, or did. */
export interface Depending {
  bead: Bead;
  target: string;
}

export type { BeadFilter, FieldChanges, NamedDependency, ShownBead };

/** All that can be done with beads. */
export class Beads {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** `warning` is what a person asked for elsewhere and could not be had. */
  async create(asked: NewBead): Promise<{ bead: Bead; warning: string | undefined }> {
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
    let warning: string | undefined;
    const bead = await this.#parts.store.add((known) => {
      const own = known.prefix();
      warning = own.warning;
      const id = parent === undefined ? this.#newId(own.prefix, known) : newChildId(parent, known.ids);
      const dependencies = targets.map((each) => this.#dependency(id, each));
      return newBead({ id, ...given, dependencies, now: this.#now(), by: this.#parts.actor });
    });
    return { bead, warning };
  }

  list(filter: BeadFilter = {}): ListedBeads {
    return this.#listed((beads) => byUrgency(beads.filter((bead) => fits(bead, filter))));
  }

  /** What could be worked on now, the most urgent first. */
  ready(): ListedBeads {
    return this.#listed((beads) => readyBeads(beads, this.#parts.clock.now()));
  }

  /** The ready ones whose work is not that of others below them: what runs may be started on without asking. */
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
        this.#parts.store.place,
      );
    return shownBead(bead, beads, this.#parts.clock.now());
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

  /** `changed` is false when it was closed already, for the same reason or with none given. */
  async close(name: string, reason?: string): Promise<{ bead: Bead; changed: boolean }> {
    checkText("reason", reason);
    const given = await this.#redacted({ reason });
    let changed = false;
    const bead = await this.#change(name, (before) => {
      const after = withStatus(before, "closed", {
        now: this.#now(),
        ...(given.reason !== undefined && { reason: given.reason }),
      });
      changed = after !== before;
      return after;
    });
    return { bead, changed };
  }

  /** Takes a closed bead up again, or one in any other status; `changed` is false when it was open already. */
  async reopen(name: string): Promise<{ bead: Bead; changed: boolean }> {
    let changed = false;
    const bead = await this.#change(name, (before) => {
      const after = withStatus(before, "open", { now: this.#now() });
      changed = after !== before;
      return after;
    });
    return { bead, changed };
  }

  /** Leaves a tombstone where the bead was, and gives that. */
  async delete(name: string, reason?: string): Promise<Bead> {
    checkText("reason", reason);
    const given = await this.#redacted({ reason });
    const { store, actor } = this.#parts;
    const buried = { now: this.#now(), by: actor, reason: given.reason };
    return store.remove(this.resolve(name), (bead) => asTombstone(bead, buried));
  }

  /** Another text whenever beads were changed, as far as that can be told without asking a program. */
  get changes(): string {
    return this.#parts.store.changes;
  }

  /** Reads the beads anew where a program has to be asked for them. */
  refresh(): Promise<void> {
    return this.#parts.store.refresh();
  }

  /** `child` depends on `parent`. */
  async addDependency(child: string, parent: string, type: string): Promise<Depending> {
    checkDependencyType(type);
    const [from, to] = [this.resolve(child), this.resolve(parent)];
    if (from === to) throw new ClewError("invalid_input", `${from} cannot depend on itself`, "name two beads");
    const bead = await this.#parts.store.change(from, (before, known) => {
      if (isWaiting(type)) refuseCircle(known, from, to);
      return withDependency(before, this.#dependency(from, { type, id: to }), this.#now());
    });
    return { bead, target: to };
  }

  async removeDependency(child: string, parent: string): Promise<Depending> {
    let target = parent;
    const bead = await this.#change(child, (before) => {
      target = this.#resolveTarget(before, parent);
      const after = withoutDependency(before, target, this.#now());
      if (after !== before) return after;
      throw new ClewError(
        "invalid_input",
        `${before.id} does not depend on ${target}`,
        `clew bead show ${before.id} shows on what`,
      );
    });
    return { bead, target };
  }

  /** Beads that are here, and the other status that an import would give them. Throws as the import would. */
  statusesAfterImport(bytes: Uint8Array, place: string): { id: string; status: string }[] {
    const { store } = this.#parts;
    const here = new Map(store.all().beads.map((bead) => [bead.id, bead]));
    const gone = new Set(store.ids().filter((id) => !here.has(id)));
    const known = { all: () => [...here.values()], deleted: () => gone };
    return chooseImported(readImported(bytes, place).beads, known).chosen.flatMap(({ bead }) => {
      const before = here.get(bead.id);
      const status = statusOf(bead);
      return before && statusOf(before) !== status ? [{ id: bead.id, status }] : [];
    });
  }

  /** All or nothing: with any damaged line nothing is taken. `place` is what the bytes are called in errors. */
  async import(bytes: Uint8Array, place: string): Promise<ImportResult> {
    const { beads, passedOver } = readImported(bytes, place);
    const redacted = await this.#redacted(beads.map(({ bead }) => bead));
    const incoming = beads.map(({ bead, line }, at) => ({
      bead: redacted[at]!,
      line: spliceMembers(line, bead, redacted[at]!),
    }));
    let ids: ImportResult["ids"] = { added: [], updated: [], left: [] };
    await this.#parts.store.put((known) => {
      const choice = chooseImported(incoming, known);
      ids = choice.ids;
      return choice.chosen;
    });
    const [added, updated, left] = [ids.added.length, ids.updated.length, ids.left.length];
    return { added, updated, left, passed_over: passedOver, ids };
  }

  /** The picture of what waits for what: below one bead, or of all. */
  graph(name: string | undefined, all: boolean): GraphLine[] {
    const root = name === undefined ? {} : { root: this.resolve(name) };
    return graphOf(this.#parts.store.all().beads, { ...root, all }, this.#parts.clock.now());
  }

  /** Everything there is, for other programs: each line as it stands, and what had to be left out. */
  export(): { lines: string[]; unreadable: UnreadableBead[] } {
    const { store } = this.#parts;
    return { lines: store.lines(), unreadable: store.all().unreadable };
  }

  /** The id of the bead that a person means. */
  resolve(name: string): string {
    return resolveBead(this.#parts.store, name);
  }

  /** A program takes other names for an id than we do: it is only ever told the whole of it. */
  async #change(name: string, change: (bead: Bead) => Bead): Promise<Bead> {
    return this.#parts.store.change(this.resolve(name), change);
  }

  /** What a bead depends on may be gone: then it is named only there. */
  #resolveTarget(bead: Bead, name: string): string {
    const own = [...new Set(dependenciesOf(bead).map((each) => each.depends_on_id))];
    const [called, another] = idsCalled(name, own);
    if (called !== undefined && another === undefined) return called;
    try {
      return this.resolve(name);
    } catch (error) {
      const named = idsNamed(name, own);
      if (named.length !== 1) throw error;
      return named[0]!;
    }
  }

  #listed(choose: (beads: Bead[]) => Bead[]): ListedBeads {
    const { beads: all, unreadable } = this.#parts.store.all();
    const readiness = readinessOf(all, this.#parts.clock.now());
    const beads = choose(all);
    const standings = new Map(beads.map((bead) => [bead.id, readiness.standingOf(bead)]));
    return { beads, unreadable, standings, total: all.length };
  }

  #newId(prefix: string, { ids }: KnownBeads): string {
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

function refuseCircle(known: KnownBeads, from: string, to: string): void {
  const byId = new Map(known.all().map((bead) => [bead.id, bead]));
  const way = cycleThrough((id) => byId.get(id), { from, to });
  if (!way) return;
  throw new ClewError(
    "invalid_input",
    `${from} cannot wait for ${to}, which waits for it: ${circleInWords([from, ...way])}`,
    `remove one of these first: clew bead dep remove ${way.at(-2)} ${from}`,
  );
}

function refuseTwice(targets: NamedDependency[]): void {
  const seen = new Set<string>();
  for (const { id } of targets) {
    if (seen.has(id)) throw new ClewError("invalid_input", `${id} is named twice`, "one dependency for each bead");
    seen.add(id);
  }
}
