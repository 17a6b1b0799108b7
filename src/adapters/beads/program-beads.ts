import type { BeadPlace, KnownBeads } from "../../app/bead/ports.ts";
import type { UnreadableBead } from "../../contract/api/bead-shapes.ts";
import { isOtherRecord } from "../../bead/bead-shape.ts";
import { beadStatusOf, tombstone, type Bead } from "../../contract/bead.ts";
import { ClewError } from "../../contract/errors.ts";
import { ProgramFailure, type BeadProgram } from "./bead-program.ts";
import { readBead, readObjects, readList } from "./program-answers.ts";
import { changeCalls, claimCall, createCall, type Call, type Dialect } from "./program-arguments.ts";
import {
  claimedByAnother,
  commandOf,
  confirmChange,
  createdId,
  doctorHint,
  isUnknownBead,
  withCreatedId,
  throwNotClaimed,
  notByClew,
  refuseUnsafeId,
  unknownToProgram,
  withCalls,
  type CallLog,
} from "./program-refusals.ts";
import { isObject } from "../../text/is-object.ts";

interface Parts {
  program: BeadProgram;
  /** The assignee of beads that this user claims. */
  actor: string;
  /** One call at a time: an embedded database has one writer. */
  withLock: <T>(work: () => Promise<T>) => Promise<T>;
  /** Throws when this is not the program that is needed. */
  probe: () => Promise<void>;
}

interface LoadedBeads {
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
  let loaded: LoadedBeads | ClewError | undefined;

  const withProgram = <T>(work: () => Promise<T>): Promise<T> =>
    withLock(async () => {
      // Probed until it succeeds once: the user may install another version while a daemon lives.
      if (!isProbed) await probe();
      isProbed = true;
      return work();
    });

  /** Does work that writes. When a call fails, the error names the calls before it. */
  const withWriter = <T>(
    id: string | undefined,
    work: (write: (call: Call) => Promise<string>) => Promise<T>,
  ): Promise<T> =>
    withProgram(async () => {
      const calls: CallLog = { name, id, succeeded: [], unclear: [] };
      try {
        return await work(async ({ args, stdin }) => {
          try {
            const output = await program.call(args, stdin);
            calls.succeeded.push(commandOf(args));
            return output;
          } catch (error) {
            if (error instanceof ProgramFailure && error.isUnclear) calls.unclear.push(commandOf(args));
            throw error;
          }
        });
      } catch (error) {
        throw withCalls(error, calls);
      }
    });

  async function answer<T>(args: string[], read: (output: string) => T | undefined): Promise<T> {
    const parsed = read(await program.call([...args.slice(0, 1), "--json", ...readOnly, ...args.slice(1)]));
    if (parsed !== undefined) return parsed;
    throw new ProgramFailure(`${name} ${args[0]} printed no JSON that clew can read`, doctorHint(name), {});
  }

  async function load(): Promise<LoadedBeads> {
    const beads = new Map<string, Bead>();
    const unreadable: UnreadableBead[] = [];
    const items = await answer(["list", "--all", "--limit=0"], readList);
    for (const [at, item] of items.entries()) {
      if (isObject(item) && isOtherRecord(item)) continue;
      const bead = readBead(item);
      if (typeof bead !== "string") beads.set(bead.id, bead);
      else unreadable.push({ place: `${name} list, item ${at + 1}`, reason: bead });
    }
    return { beads, unreadable };
  }

  function requireLoaded(): LoadedBeads {
    if (isLoaded(loaded)) return loaded;
    throw loaded ?? new ClewError("not_available", `${name} list was not called yet`, "clew bead list calls it");
  }

  /** The beads that could be read; writing does not need them. */
  const loadedBeads = (): ReadonlyMap<string, Bead> => (isLoaded(loaded) ? loaded.beads : new Map<string, Bead>());

  const liveBeads = (): Bead[] => [...requireLoaded().beads.values()].filter(({ status }) => status !== tombstone);

  /** The bead as the program has it now. Checks its id, because programs also match the beginning of an id. */
  async function show(id: string): Promise<Bead | undefined> {
    let items: Record<string, unknown>[];
    try {
      items = await answer(["show", "--", id], readObjects);
    } catch (error) {
      if (error instanceof ProgramFailure && isUnknownBead(error.message, id)) return undefined;
      throw error;
    }
    const bead = items.map(readBead).find((each) => typeof each !== "string" && each.id === id) as Bead | undefined;
    if (bead === undefined && items.length > 0) {
      throw new ProgramFailure(`${name} show ${id} answered with something else`, doctorHint(name), {});
    }
    return bead?.status === tombstone ? undefined : bead;
  }

  const knownBeads = (): KnownBeads => ({
    get ids() {
      return new Set(loadedBeads().keys());
    },
    // The program chooses ids itself.
    prefix: () => ({ prefix: "bead", warning: undefined }),
    all: liveBeads,
    deleted: () => new Set(),
  });

  /** Remembers a bead that was written, if the others could be read. */
  function cacheBead(bead: Bead): Bead {
    if (isLoaded(loaded)) loaded.beads.set(bead.id, bead);
    return bead;
  }

  /** The bead when it is ours now, whatever the program answered; undefined when it has no assignee: then try again. */
  async function claimOnce(id: string, write: (call: Call) => Promise<string>): Promise<Bead | undefined> {
    let failure: ProgramFailure | undefined;
    try {
      await write(claimCall(id, dialect));
    } catch (error) {
      if (!(error instanceof ProgramFailure)) throw error;
      failure = error;
    }
    const current = await show(id);
    if (!current) throw unknownToProgram(name, id);
    if (isOurs(current)) return current;
    if (current.assignee && current.assignee !== actor) throw claimedByAnother(name, current);
    if (failure && !failure.isUnclear) throw failure;
    return undefined;
  }

  const isOurs = (bead: Bead): boolean => bead.assignee === actor && bead.status === "in_progress";

  async function applyChange(id: string, write: (call: Call) => Promise<string>, change: BeadChange): Promise<Bead> {
    refuseUnsafeId(id);
    const before = await show(id);
    if (!before) throw unknownToProgram(name, id);
    const wanted = change(before, knownBeads());
    if (wanted === before) return cacheBead(before);
    const after = releaseIfReopened(before, wanted, actor);
    for (const each of changeCalls(before, after, dialect)) await write(each);
    return cacheBead(confirmChange(name, await show(id), before, after));
  }

  const place: BeadPlace = {
    place: `the ${name} database`,
    find(id) {
      const bead = requireLoaded().beads.get(id);
      return bead?.status === tombstone ? undefined : bead;
    },
    around: liveBeads,
    ids: () => [...requireLoaded().beads.keys()],
    all: () => ({ beads: liveBeads(), unreadable: requireLoaded().unreadable }),
    deleted: () => new Map([...requireLoaded().beads].filter(([, { status }]) => status === tombstone)),
    lines: () => [...requireLoaded().beads.values()].map((bead) => JSON.stringify(bead)),
    async refresh() {
      try {
        loaded = await withProgram(load);
      } catch (error) {
        if (!(error instanceof ClewError)) throw error;
        loaded = error;
      }
    },
    change: (id, change) => withWriter(id, (write) => applyChange(id, write, change)),
    add: (make) =>
      withWriter(undefined, async (write) => {
        const wanted = make(knownBeads());
        const id = createdId(name, await write(createCall(wanted, dialect)));
        try {
          return cacheBead(confirmChange(name, await show(id), { id, title: "" }, { ...wanted, id }));
        } catch (error) {
          throw withCreatedId(error, name, id);
        }
      }),
    claim: (id, note) =>
      withWriter(id, async (write) => {
        refuseUnsafeId(id);
        const before = await show(id);
        if (!before) throw unknownToProgram(name, id);
        const isOpen = beadStatusOf(before) === "open";
        if (isOpen) note("");
        const claimed = cacheBead(
          (await claimOnce(id, write)) ?? (await claimOnce(id, write)) ?? throwNotClaimed(name, id),
        );
        if (isOpen) note(markOf(claimed));
      }),
    giveBack: (id, mark) =>
      withWriter(id, async (write) => {
        const current = await show(id);
        if (!current || !isOurs(current)) return "kept";
        if (mark === "") return "unclear";
        if (markOf(current) !== mark) return "kept";
        await applyChange(id, write, (bead) => ({ ...bead, status: "open" }));
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

/** Clears the assignee of our bead when it is opened again: else no other actor could claim it. */
function releaseIfReopened(before: Bead, wanted: Bead, actor: string): Bead {
  const isReleased = ["in_progress", "blocked", "closed"].includes(String(before.status)) && wanted.status === "open";
  const isOurs = before.assignee === actor && wanted.assignee === actor;
  return isReleased && isOurs ? { ...wanted, assignee: "" } : wanted;
}

/** A word that changes with every change of the bead. */
function markOf({ updated_at: at }: Bead): string {
  return typeof at === "string" ? at : "";
}

function isLoaded(loaded: LoadedBeads | ClewError | undefined): loaded is LoadedBeads {
  return loaded !== undefined && !(loaded instanceof Error);
}

type BeadChange = Parameters<BeadPlace["change"]>[1];
