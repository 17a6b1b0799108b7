import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newPids } from "./new-pids.ts";

/** A machine that gives pids in ascending order up to 19, and begins anew at 2. */
class Machine {
  readonly alive = new Set([1]);
  last = 1;
  /** How often /proc was listed. */
  lists = 0;

  fork(): number {
    do this.last = this.last === 19 ? 2 : this.last + 1;
    while (this.alive.has(this.last));
    this.alive.add(this.last);
    return this.last;
  }

  pids = (): number[] => {
    this.lists++;
    return [...this.alive];
  };

  isThere = (pid: number): boolean => this.alive.has(pid);

  lastPid = (): number => this.last;

  ms = 0;
  nowMs = (): number => this.ms;
}

describe("G10 the pids of new processes", () => {
  test("G10 who was there before is listed once at most, and not at all below the first", () => {
    const machine = new Machine();
    const [low, first, high] = [machine.fork(), machine.fork(), machine.fork()];
    const pids = newPids(first, machine);
    expect([...pids.list()]).toEqual([first, high]);
    pids.skip(high);
    const fresh = machine.fork();
    expect([...pids.list()]).toEqual([first, fresh]);
    expect(low).toBeLessThan(first);
  });

  test("G10 where no process was started since, nothing is looked through", () => {
    const machine = new Machine();
    const first = machine.fork();
    const pids = newPids(first, machine);
    expect([...pids.list(), ...pids.list()]).toEqual([first, first]);
    expect(machine.lists).toBe(0);
    const child = machine.fork();
    machine.alive.delete(first);
    expect([...pids.list()]).toEqual([child]);
  });

  test("G10 few that were started since are tried one by one, many are listed", () => {
    const machine = new Machine();
    const first = machine.fork();
    const pids = newPids(first, machine);
    const children = Array.from({ length: 16 }, () => machine.fork());
    expect([...pids.list()]).toEqual([first, ...children]);
    expect(machine.lists).toBe(0);
    const further = machine.fork();
    expect([...pids.list()]).toEqual([first, ...children, further]);
    expect(machine.lists).toBeGreaterThan(0);
  });

  test("G10 the child of one that ends while others are tried is found", () => {
    const machine = new Machine();
    const first = machine.fork();
    const [forker, next] = [machine.fork(), machine.fork()];
    let child = 0;
    const isThere = (pid: number): boolean => {
      if (pid === forker && child === 0) {
        child = machine.fork();
        machine.alive.delete(forker);
      }
      return machine.isThere(pid);
    };
    expect([...newPids(first, { ...machine, isThere }).list()]).toEqual([first, next, child]);
    expect(machine.lists).toBe(0);
  });

  test("G10 a pid above the one that was given last is an older process's", () => {
    const machine = new Machine();
    machine.alive.add(15);
    const [first, child] = [machine.fork(), machine.fork()];
    expect([...newPids(first, machine).list()]).toEqual([first, child]);
  });

  test("G10 nobody new is missed between two looks, also when pids begin anew", () => {
    const acts = fc.array(fc.constantFrom("fork", "end", "look"), { maxLength: 200 });
    fc.assert(
      fc.property(acts, fc.nat({ max: 17 }), (sequence, before) => {
        const machine = new Machine();
        for (let count = 0; count < before; count++) machine.fork();
        for (const pid of [...machine.alive].filter((each) => each > 8)) machine.alive.delete(pid);
        const old = new Set(machine.alive);
        const first = machine.fork();
        const pids = newPids(first, machine);
        const fresh = new Set([first]);
        let forks = 0;
        for (const act of [...sequence, "look"]) {
          if (act === "fork" && machine.alive.size < 12 && forks++ < 6) {
            const pid = machine.fork();
            fresh.add(pid);
            old.delete(pid);
          } else if (act === "end" && machine.alive.size > 1) {
            const pid = [...machine.alive].at(-1)!;
            machine.alive.delete(pid);
            fresh.delete(pid);
          } else if (act === "look") {
            forks = 0;
            const listed = [...pids.list()];
            for (const pid of listed) if (old.has(pid)) pids.skip(pid);
            expect(listed).toEqual(expect.arrayContaining([...fresh]));
          }
        }
      }),
    );
  });

  test("G10 after a long stop everybody is listed: pids may have begun anew and come further than before", () => {
    const machine = new Machine();
    for (let count = 0; count < 5; count++) machine.fork();
    const first = machine.fork();
    const pids = newPids(first, machine);
    expect([...pids.list()]).toEqual([first]);
    machine.ms += 60_000;
    machine.alive.delete(3);
    while (machine.fork() !== 3);
    for (const pid of machine.alive) if (pid > first) machine.alive.delete(pid);
    while (machine.fork() < first + 2);
    expect([...pids.list()]).toContain(3);
  });

  test("G10 a system that does not tell the last pid has everybody listed", () => {
    const machine = new Machine();
    const [low, first] = [machine.fork(), machine.fork()];
    const pids = newPids(first, { ...machine, lastPid: () => 0 });
    pids.skip(low);
    expect([...pids.list()]).toEqual([1, low, first]);
  });

  test("G10 where processes come without end, the list has one", () => {
    const machine = new Machine();
    let next = 100;
    const pids = newPids(undefined, { ...machine, pids: () => [next++] });
    expect([...pids.list()]).toHaveLength(20);
  });
});
