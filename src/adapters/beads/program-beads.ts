import type { BeadPlace, KnownBeads } from "../../app/bead/ports.ts";
import type { UnreadableBead } from "../../contract/api/bead-shapes.ts";
import { isOtherRecord } from "../../bead/bead-shape.ts";
import { statusOf, tombstone, type Bead } from "../../contract/bead.ts";
import { ClewError } from "../../contract/errors.ts";
import { ProgramFailure, type BeadProgram } from "./bead-program.ts";
import { isObject, readBead, readItems, readList } from "./program-answers.ts";
import { changeCalls, claimCall, createCall, type Call, type Dialect } from "./program-arguments.ts";
import {
  anothers,
  commandOf,
  confirmed,
  createdId,
  doctor,
  isUnknown,
  withCreatedId,
  neverClaimed,
  notByClew,
  refuseUnsafeId,
  unknown,
  withCalls,
  type Calls,
} from "./program-refusals.ts";

interface Parts {
  program: BeadProgram;
  /** Who works, so that a claim can be told from another's. */
  actor: string;
  /** One call at a time: an embedded database has one writer. */
  withLock: <T>(work: () => Promise<T>) => Promise<T>;
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
export function programBeads({ program, actor, withLock, probe }: Parts): BeadPlace {
  const { name } = program;
  const dialect: Dialect = { name, actor };
  const readOnly = name === "bd" ? ["--readonly"] : [];
  let isProbed = false;
  let loaded: Loaded | ClewError | undefined;

  const withProgram = <T>(work: () => Promise<T>): Promise<T> =>
    withLock(async () => {
      // Asked once when it is the right one: a wrong one may be mended while a daemon lives.
      if (!isProbed) await probe();
      isProbed = true;
      return work();
    });

  /** What is told when a call fails counts the ones before it, which did their part. */
  const writing = <T>(
    id: string | undefined,
    work: (write: (call: Call) => Promise<string>) => Promise<T>,
  ): Promise<T> =>
    withProgram(async () => {
      const calls: Calls = { name, id, made: [], unclear: [] };
      try {
        return await work(async ({ args, stdin }) => {
          try {
            const printed = await program.call(args, stdin);
            calls.made.push(commandOf(args));
            return printed;
          } catch (error) {
            if (error instanceof ProgramFailure && error.isUnclear) calls.unclear.push(commandOf(args));
            throw error;
          }
        });
      } catch (error) {
        throw withCalls(error, calls);
      }
    });

  async function answer<T>(args: string[], read: (printed: string) => T | undefined): Promise<T> {
    const found = read(await program.call([...args.slice(0, 1), "--json", ...readOnly, ...args.slice(1)]));
    if (found !== undefined) return found;
    throw new ProgramFailure(`${name} ${args[0]} printed no JSON that clew can read`, doctor(name), {});
  }

  async function load(): Promise<Loaded> {
    const beads = new Map<string, Bead>();
    const unreadable: UnreadableBead[] = [];
    const all = await answer(["list", "--all", "--limit=0"], readList);
    for (const [at, item] of all.entries()) {
      if (isObject(item) && isOtherRecord(item)) continue;
      const bead = readBead(item);
      if (typeof bead !== "string") beads.set(bead.id, bead);
      else unreadable.push({ place: `${name} list, item ${at + 1}`, reason: bead });
    }
    return { beads, unreadable };
  }

  function reading(): Loaded {
    if (isLoaded(loaded)) return loaded;
    throw loaded ?? new ClewError("not_available", `${name} list was not called yet`, "clew bead list calls it");
  }

  /** What there is as far as it could be read: writing does not need it. */
  const have = (): ReadonlyMap<string, Bead> => (isLoaded(loaded) ? loaded.beads : new Map<string, Bead>());

  const live = (): Bead[] => [...reading().beads.values()].filter(({ status }) => status !== tombstone);

  /** The bead as the program has it now. Programs take the beginning of an id for the whole: what returns is checked. */
  async function show(id: string): Promise<Bead | undefined> {
    let found: Record<string, unknown>[];
    try {
      found = await answer(["show", "--", id], readItems);
    } catch (error) {
      if (error instanceof ProgramFailure && isUnknown(error.message, id)) return undefined;
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
      return new Set(have().keys());
    },
    // The program gives ids itself.
    prefix: () => ({ prefix: "bead", warning: undefined }),
    all: live,
    deleted: () => new Set(),
  });

  /** It is written: that nobody could read all the others before does not make it a failure. */
  function keep(bead: Bead): Bead {
    if (isLoaded(loaded)) loaded.beads.set(bead.id, bead);
    return bead;
  }

  /** The bead when it is ours now, whatever the program said; undefined when nobody has it, and one may try again. */
  async function claimOnce(id: string, write: (call: Call) => Promise<string>): Promise<Bead | undefined> {
    let failure: ProgramFailure | undefined;
    try {
      await write(claimCall(id, dialect));
    } catch (error) {
      if (!(error instanceof ProgramFailure)) throw error;
      failure = error;
    }
    const now = await show(id);
    if (!now) throw unknown(name, id);
    if (isOurs(now)) return now;
    if (now.assignee && now.assignee !== actor) throw anothers(name, now);
    if (failure && !failure.isUnclear) throw failure;
    return undefined;
  }

  const isOurs = (bead: Bead): boolean => bead.assignee === actor && bead.status === "in_progress";

  async function changed(id: string, write: (call: Call) => Promise<string>, change: BeadChange): Promise<Bead> {
    refuseUnsafeId(id);
    const before = await show(id);
    if (!before) throw unknown(name, id);
    const wanted = change(before, known());
    if (wanted === before) return keep(before);
    const after = released(before, wanted, actor);
    for (const each of changeCalls(before, after, dialect)) await write(each);
    return keep(confirmed(name, await show(id), before, after));
  }

  const place: BeadPlace = {
    place: `the ${name} database`,
    find(id) {
      const bead = reading().beads.get(id);
      return bead?.status === tombstone ? undefined : bead;
    },
    around: live,
    ids: () => [...reading().beads.keys()],
    all: () => ({ beads: live(), unreadable: reading().unreadable }),
    deleted: () => new Map([...reading().beads].filter(([, { status }]) => status === tombstone)),
    lines: () => [...reading().beads.values()].map((bead) => JSON.stringify(bead)),
    async refresh() {
      try {
        loaded = await withProgram(load);
      } catch (error) {
        if (!(error instanceof ClewError)) throw error;
        loaded = error;
      }
    },
    change: (id, change) => writing(id, (write) => changed(id, write, change)),
    add: (make) =>
      writing(undefined, async (write) => {
        const wanted = make(known());
        const id = createdId(name, await write(createCall(wanted, dialect)));
        try {
          return keep(confirmed(name, await show(id), { id, title: "" }, { ...wanted, id }));
        } catch (error) {
          throw withCreatedId(error, name, id);
        }
      }),
    claim: (id, note) =>
      writing(id, async (write) => {
        refuseUnsafeId(id);
        const before = await show(id);
        if (!before) throw unknown(name, id);
        const isTaken = statusOf(before) === "open";
        if (isTaken) note("");
        const now = keep((await claimOnce(id, write)) ?? (await claimOnce(id, write)) ?? neverClaimed(name, id));
        if (isTaken) note(markOf(now));
      }),
    giveBack: (id, mark) =>
      writing(id, async (write) => {
        const now = await show(id);
        if (!now || !isOurs(now)) return "kept";
        if (mark === "") return "unclear";
        if (markOf(now) !== mark) return "kept";
        await changed(id, write, (bead) => ({ ...bead, status: "open" }));
        return "given";
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
  const isReleased = ["in_progress", "blocked", "closed"].includes(String(before.status)) && wanted.status === "open";
  const isOurs = before.assignee === actor && wanted.assignee === actor;
  return isReleased && isOurs ? { ...wanted, assignee: "" } : wanted;
}

/** Whatever is done to a bead changes this. */
function markOf({ updated_at: at }: Bead): string {
  return typeof at === "string" ? at : "";
}

function isLoaded(loaded: Loaded | ClewError | undefined): loaded is Loaded {
  return loaded !== undefined && !(loaded instanceof Error);
}

type BeadChange = Parameters<BeadPlace["change"]>[1];
