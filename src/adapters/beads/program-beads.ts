import type { BeadPlace, KnownBeads, UnreadableBead } from "../../app/bead-port.ts";
import { beadIdPattern } from "../../bead/bead-id.ts";
import { isOtherRecord } from "../../bead/bead-shape.ts";
import { tombstone, type Bead } from "../../contract/bead.ts";
import { ClewError } from "../../contract/errors.ts";
import { ProgramFailure, type BeadProgram } from "./bead-program.ts";
import { readBead, readItems } from "./program-answers.ts";
import { changeCalls, claimCall, createCall, type Call, type Dialect } from "./program-arguments.ts";
import { unchangedFields } from "./unchanged-fields.ts";

interface Parts {
  program: BeadProgram;
  /** Who works, so that a claim can be told from another's. */
  actor: string;
  /** One call at a time: an embedded database has one writer. */
  exclusively: <T>(work: () => Promise<T>) => Promise<T>;
  /** Throws when this is not the program that is needed; asked once. */
  probe: () => Promise<void>;
}

interface Loaded {
  beads: Map<string, Bead>;
  unreadable: UnreadableBead[];
}

/**
 * Beads in a database of `bd` or `br`: all of them are read at once by `refresh`, and written by the program alone. A write
 * counts when the program shows it afterwards.
 */
export function programBeads({ program, actor, exclusively, probe }: Parts): BeadPlace {
  const { name } = program;
  const dialect: Dialect = { name, actor };
  const readOnly = name === "bd" ? ["--readonly"] : [];
  let probed: Promise<void> | undefined;
  let loaded: Loaded | ClewError | undefined;

  const inTurn = <T>(work: () => Promise<T>): Promise<T> =>
    exclusively(async () => {
      await (probed ??= probe());
      return work();
    });

  const call = ({ args, stdin }: Call): Promise<string> => program.call(args, stdin);

  async function items(args: string[]): Promise<Record<string, unknown>[]> {
    const found = readItems(await program.call([...args.slice(0, 1), "--json", ...readOnly, ...args.slice(1)]));
    if (found) return found;
    throw new ProgramFailure(`${name} ${args[0]} printed no JSON that clew can read`, doctor(name), {});
  }

  async function load(): Promise<Loaded> {
    const beads = new Map<string, Bead>();
    const unreadable: UnreadableBead[] = [];
    const all = await items(["list", "--all", "--limit=0"]);
    for (const [at, item] of all.entries()) {
      if (isOtherRecord(item)) continue;
      const bead = readBead(item);
      if (typeof bead !== "string") beads.set(bead.id, bead);
      else unreadable.push({ place: `${name} list, item ${at + 1}`, reason: bead });
    }
    return { beads, unreadable };
  }

  function reading(): Loaded {
    if (loaded === undefined) throw new ClewError("not_available", `${name} was not asked yet`, "repeat the command");
    if (loaded instanceof Error) throw loaded;
    return loaded;
  }

  const live = (): Bead[] => [...reading().beads.values()].filter(({ status }) => status !== tombstone);

  /** The bead as the program has it now. Programs take the beginning of an id for the whole: what returns is checked. */
  async function show(id: string): Promise<Bead | undefined> {
    let found: Record<string, unknown>[];
    try {
      found = await items(["show", "--", id]);
    } catch (error) {
      if (error instanceof ProgramFailure && isUnknown(error.message)) return undefined;
      throw error;
    }
    const bead = found.map(readBead).find((each) => typeof each !== "string" && each.id === id) as Bead | undefined;
    if (bead === undefined && found.length > 0) {
      throw new ProgramFailure(`${name} show ${id} answered with something else`, doctor(name), {});
    }
    return bead?.status === tombstone ? undefined : bead;
  }

  const known = (): KnownBeads => ({
    get ids() {
      return new Set(reading().beads.keys());
    },
    // The program gives ids itself.
    prefix: () => ({ prefix: "bead", warning: undefined }),
    all: live,
    deleted: () => new Set(),
  });

  function keep(bead: Bead): Bead {
    reading().beads.set(bead.id, bead);
    return bead;
  }

  /** The bead when it is ours now, whatever the program said; undefined when nobody has it, and one may try again. */
  async function claimOnce(id: string): Promise<Bead | undefined> {
    let failure: ProgramFailure | undefined;
    try {
      await call(claimCall(id, dialect));
    } catch (error) {
      if (!(error instanceof ProgramFailure)) throw error;
      failure = error;
    }
    const now = await show(id);
    if (!now) throw unknown(name, id);
    if (now.assignee === actor && now.status === "in_progress") return now;
    if (now.assignee && now.assignee !== actor) throw anothers(name, now);
    if (failure && !failure.isUnclear) throw failure;
    return undefined;
  }

  const place: BeadPlace = {
    place: `the ${name} database`,
    find: (id) => live().find((bead) => bead.id === id),
    ids: () => [...reading().beads.keys()],
    all: () => ({ beads: live(), unreadable: reading().unreadable }),
    lines: () => [...reading().beads.values()].map((bead) => JSON.stringify(bead)),
    async refresh() {
      try {
        loaded = await inTurn(load);
      } catch (error) {
        if (!(error instanceof ClewError)) throw error;
        loaded = error;
      }
    },
    change: (id, change) =>
      inTurn(async () => {
        refuseOddId(id);
        const before = await show(id);
        if (!before) throw unknown(name, id);
        const wanted = change(before, known());
        if (wanted === before) return keep(before);
        const after = released(before, wanted, actor);
        for (const each of changeCalls(before, after, dialect)) await call(each);
        return keep(confirmed(name, await show(id), before, after));
      }),
    add: (make) =>
      inTurn(async () => {
        const wanted = make(known());
        const id = createdId(name, await call(createCall(wanted, dialect)));
        return keep(confirmed(name, await show(id), { id, title: "" }, { ...wanted, id }));
      }),
    claim: (id) =>
      inTurn(async () => {
        refuseOddId(id);
        keep((await claimOnce(id)) ?? (await claimOnce(id)) ?? neverClaimed(name, id));
      }),
    async put() {
      throw notByClew(name, "import into", "import FILE");
    },
    async remove(id) {
      throw notByClew(name, "delete from", `delete ${id}`);
    },
  };
  return place;
}

/** A bead that nobody works on any more is nobody's: else no other could claim it. */
function released(before: Bead, wanted: Bead, actor: string): Bead {
  const isReleased = ["in_progress", "blocked"].includes(String(before.status)) && wanted.status === "open";
  const isOurs = before.assignee === actor && wanted.assignee === actor;
  return isReleased && isOurs ? { ...wanted, assignee: "" } : wanted;
}

/** Throws when the bead is not what the program was told: it may have said yes and done nothing. */
function confirmed(name: string, now: Bead | undefined, before: Bead, wanted: Bead): Bead {
  const wrong = now && unchangedFields(now, before, wanted);
  if (now && wrong?.length === 0) return now;
  throw new ClewError(
    "not_available",
    now
      ? `${name} said that it changed ${wanted.id}, but it shows another ${wrong!.join(", ")}`
      : `${name} said that it wrote ${wanted.id}, but it does not show it`,
    `${name} show ${wanted.id} tells what it has; ${doctor(name)}`,
  );
}

/** The program gives ids itself, and prints the bead that it made. */
function createdId(name: string, printed: string): string {
  const id = readItems(printed)?.[0]?.["id"];
  if (typeof id === "string" && beadIdPattern.test(id)) return id;
  throw new ClewError(
    "not_available",
    `${name} create did not print the bead that it made`,
    `${name} list shows whether it is there; ${doctor(name)}`,
  );
}

/** An empty id, or one that a program could take for something else, is never sent. */
function refuseOddId(id: string): void {
  if (!beadIdPattern.test(id)) throw new ClewError("invalid_input", `${id} cannot be a bead's id`, "clew bead list");
}

function isUnknown(message: string): boolean {
  return /not found|no such|does not exist|no issues? (?:found|matching)/i.test(message);
}

function unknown(name: string, id: string): ClewError {
  return new ClewError("unknown_bead", `there is no bead ${id} in the ${name} database`, "clew bead list shows them");
}

function anothers(name: string, { id, assignee, status }: Bead): ClewError {
  return new ClewError(
    "not_possible_now",
    `${id} could not be claimed: ${assignee} has it (${status ?? "open"})`,
    `${name} show ${id} tells more; ${name} unclaim ${id} gives it back`,
  );
}

function neverClaimed(name: string, id: string): never {
  throw new ClewError("not_available", `${id} could not be claimed: ${name} shows it as nobody's`, doctor(name));
}

function notByClew(name: string, doing: string, command: string): ClewError {
  return new ClewError(
    "not_available",
    `these beads belong to a ${name} database, which clew does not ${doing}`,
    `${name} does it: ${name} ${command}`,
  );
}

function doctor(name: string): string {
  return `${name} doctor tells more`;
}
