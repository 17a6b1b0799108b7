import { expect, test } from "vitest";
import type { NumberedEvent } from "../../contract/api/run.ts";
import type { JournalLine } from "../../contract/run-journal.ts";
import { EventHub } from "./event-hub.ts";
import type { EventNews, JournalWatch } from "./event-tail.ts";

/** Journals in memory, whose changes are told when a test says so. */
class Journals implements JournalWatch {
  readonly lines = new Map<string, { n?: number; type: string }[]>();
  readonly damaged = new Set<string>();
  reads: string[] = [];
  elapsed = 0;
  isClosed = true;
  /** Called when the end of a journal was looked for. */
  onEnd: (id: string) => void = () => undefined;
  /** The folder cannot be read. */
  isBroken = false;
  #changed: string[] = [];
  #wake = (): void => undefined;

  write(id: string, ...numbers: (number | string)[]): void {
    const journal = this.lines.get(id) ?? [];
    for (const n of numbers) journal.push(typeof n === "number" ? { type: "workflow.step.started", n } : { type: n });
    this.lines.set(id, journal);
  }

  take(): string[] {
    return this.#changed.splice(0);
  }

  async wait(_: number, signal: AbortSignal): Promise<void> {
    if (this.#changed.length > 0 || signal.aborted) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }

  close(): void {
    this.isClosed = true;
  }

  /** What the system tells, in this order, one by one. */
  async changed(...ids: string[]): Promise<void> {
    for (const id of ids) {
      this.#changed.push(id);
      this.#wake();
      await settled();
    }
  }

  async pass(ms: number): Promise<void> {
    this.elapsed += ms;
    this.#wake();
    await settled();
  }

  get hub(): EventHub {
    const journal = (id: string): { n?: number; type: string }[] => {
      this.reads.push(id);
      if (this.damaged.has(id)) throw new Error("damaged");
      return this.lines.get(id) ?? [];
    };
    return new EventHub({
      store: {
        ids: () => {
          if (this.isBroken) throw new Error("EMFILE");
          return [...this.lines.keys()];
        },
        *lines(id, from = 0) {
          for (const [at, line] of journal(id).entries()) {
            if (at >= from) yield { line: line as JournalLine, offset: at, end: at + 1 };
          }
        },
        lineAt: (id, { offset }) => journal(id)[offset] as JournalLine,
        journalEnd: (id) => {
          const all = journal(id);
          const end = {
            n: all.reduce((most, { n = 0 }) => Math.max(most, n), 0),
            end: all.length,
            isOver: all.at(-1)?.type === "workflow.completed",
          };
          this.onEnd(id);
          return end;
        },
        eventPlaces: (id, after) =>
          journal(id).flatMap(({ n = 0 }, offset) => (n > after ? [{ n, place: { offset, bytes: 1 } }] : [])),
      },
      watch: () => {
        this.isClosed = false;
        return this;
      },
      giveWay: async () => undefined,
      elapsedMs: () => this.elapsed,
    });
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Heard {
  numbers: () => number[];
  unreadable: string[];
  leave: () => void;
}

async function listen(hub: EventHub, after?: number): Promise<Heard> {
  const live: NumberedEvent[] = [];
  const unreadable: string[] = [];
  const early: NumberedEvent[] = [];
  const hear = (events: NumberedEvent[], news: EventNews): void => {
    events.push(...news.events);
    unreadable.push(...news.unreadable.map(({ id }) => id));
  };
  const { earlier, leave } = await hub.listen({ after }, (news) => hear(live, news));
  for await (const news of earlier) hear(early, news);
  return { numbers: () => [...early, ...live].map(({ n }) => n), unreadable, leave };
}

test("D3 G14 what stood there before comes in order, then what comes", async () => {
  const journals = new Journals();
  journals.write("a", 1, 4, "step.output");
  journals.write("b", 2, 3);
  const heard = await listen(journals.hub, 1);
  expect(heard.numbers()).toEqual([2, 3, 4]);
  journals.write("b", 5);
  await journals.changed("b");
  expect(heard.numbers()).toEqual([2, 3, 4, 5]);
  heard.leave();
  expect(journals.isClosed).toBe(false);
  await settled();
  expect(journals.isClosed).toBe(true);
});

test("D3 G14 an event waits for an earlier one, however many other journals change first", async () => {
  const journals = new Journals();
  for (const [at, id] of ["a", "b", "c"].entries()) journals.write(id, at + 1);
  const heard = await listen(journals.hub, 3);
  journals.write("a", 4);
  journals.write("b", 5);
  journals.write("c", "step.output");
  await journals.changed("b", "c", "c");
  expect(heard.numbers()).toEqual([]);
  await journals.changed("a");
  expect(heard.numbers()).toEqual([4, 5]);
  heard.leave();
});

test("D3 G14 what the system did not tell of is found, and a gap for good holds nothing up", async () => {
  const journals = new Journals();
  journals.write("a", 1);
  const heard = await listen(journals.hub, 0);
  journals.write("a", 2);
  await journals.pass(5_000);
  expect(heard.numbers()).toEqual([1, 2]);
  journals.write("b", 4);
  await journals.changed("b");
  expect(heard.numbers()).toEqual([1, 2]);
  await journals.pass(100);
  expect(heard.numbers()).toEqual([1, 2, 4]);
  heard.leave();
});

test("D3 G14 what is written while the ends of the journals are looked for is told", async () => {
  const journals = new Journals();
  journals.write("a", 8);
  journals.write("b", 9);
  journals.onEnd = (id) => {
    if (id !== "a") return;
    journals.write("a", 10);
    journals.write("c", 11);
    journals.write("b", 12);
  };
  const heard = await listen(journals.hub, 9);
  expect(heard.numbers()).toEqual([10, 11, 12]);
  heard.leave();
});

test("D3 after a look that failed, nothing is missing", async () => {
  const journals = new Journals();
  journals.write("a", 1);
  const heard = await listen(journals.hub, 1);
  journals.write("a", 2);
  journals.isBroken = true;
  await journals.pass(5_000);
  journals.isBroken = false;
  await journals.pass(500);
  expect(heard.numbers()).toEqual([2]);
  heard.leave();
});

test("D3 a number that never was is gone; one that was not seen yet is not", async () => {
  const journals = new Journals();
  journals.write("a", 1);
  const { hub } = journals;
  await expect(listen(hub, 2)).rejects.toMatchObject({ code: "gone" });
  expect(hub.listeners).toBe(0);
  const first = await listen(hub, 0);
  journals.write("b", 2, 3);
  const second = await listen(hub, 2);
  expect([first.numbers(), second.numbers()]).toEqual([[1, 2, 3], [3]]);
  first.leave();
  second.leave();
});

test("D3 a journal that cannot be read is told once, keeps no other back, and is read again once it is mended", async () => {
  const journals = new Journals();
  journals.write("a", 1);
  journals.write("bad", 2);
  journals.damaged.add("bad");
  const { hub } = journals;
  const heard = await listen(hub, 0);
  expect([heard.numbers(), heard.unreadable]).toEqual([[1], ["bad"]]);
  await journals.changed("bad", "bad");
  expect(heard.unreadable).toEqual(["bad"]);
  journals.damaged.clear();
  await journals.changed("bad");
  expect(heard.numbers()).toEqual([1, 2]);
  heard.leave();
});

test("D3 journals of runs that are over, or have nothing new, are not read again", async () => {
  const journals = new Journals();
  journals.write("over", 1, 2);
  journals.lines.get("over")!.push({ type: "workflow.completed", n: 3 });
  journals.write("open", 4);
  const { hub } = journals;
  const first = await listen(hub, 3);
  journals.reads = [];
  const second = await listen(hub, 3);
  first.leave();
  second.leave();
  await settled();
  const third = await listen(hub, 4);
  expect(journals.reads).not.toContain("over");
  expect([second.numbers(), third.numbers()]).toEqual([[4], []]);
  third.leave();
});
