import type { Redacted } from "../../src/contract/redacted.ts";
import { expect } from "vitest";
import type { RunEvent } from "../../src/contract/run-journal.ts";
import { addressText, type StepAddress } from "../../src/contract/run.ts";
import type { PinnedRun } from "../../src/contract/pinned-run.ts";
import { Crash } from "../sim/memory-disk.ts";
import { blocked, retry, story } from "./acts.ts";
import { Machine } from "./machine.ts";
import type { Stage } from "./stage.ts";

/** A run that blocks once, is retried by a person, and comes to its end. */
export interface Tale {
  flow: Redacted<PinnedRun>;
  newStage: () => Stage;
  /** All work, in order. */
  calls: string[];
  blocksAt: StepAddress;
}

export interface Expected {
  values: Stage["values"];
  story: unknown[];
}

/** The n-th write from the last restart is done only in part, and is the last; then the machine is started anew. */
export interface Strike {
  write: number;
  part: number;
  restart: (machine: Machine) => void;
}

interface Played {
  machine: Machine;
  stage: Stage;
  runId: string;
  strikes: number;
}

/** What a tale comes to when nothing strikes; all others are held to it. */
export async function unstruck(tale: Tale): Promise<Expected> {
  const { machine, stage, runId } = await play(tale, []);
  expect(stage.calls).toEqual(tale.calls);
  return { values: stage.values, story: story(machine.events(runId)) };
}

/** Plays a tale to its end, whatever strikes, and expects it to have gone right. Gives how many strikes met it. */
export async function expectRightWhenStruck(tale: Tale, strikes: Strike[], expected: Expected): Promise<number> {
  const played = await play(tale, strikes);
  const { machine, stage, runId } = played;
  // What was told to be over is so for good.
  machine.cutPower(() => 0);
  const isAgain = (address: string, index: number): boolean => address === stage.calls[index - 1];
  expect(stage.calls.filter((address, index) => !isAgain(address, index))).toEqual(tale.calls);
  expect(stage.calls.filter(isAgain).length).toBeLessThanOrEqual(played.strikes);
  expect({ values: stage.values, story: story(machine.events(runId)) }).toEqual(expected);
  expect(machine.numbers).toEqual(machine.numbers.map((_, index) => index + 1));
  expect(machine.store.state(runId)).toMatchObject({ status: "completed" });
  return played.strikes;
}

async function play({ flow, newStage, blocksAt }: Tale, strikes: Strike[]): Promise<Played> {
  const [machine, stage] = [new Machine(), newStage()];
  const left = [...strikes];
  const armNext = (): void => {
    if (left[0]) machine.disk.breakAfter(left[0].write, left[0].part);
  };
  let runId: string | undefined;
  let hasRested = false;
  let isRetried = false;
  let host = machine.host();
  armNext();
  for (;;) {
    try {
      runId ??= await host.start("run", flow);
      const end = await host.drive(runId, { handlers: stage.handlers });
      if (end.kind === "stopped" && end.status === "completed") {
        return { machine, stage, runId, strikes: strikes.length - left.length };
      }
      expect(end).toEqual(blocked);
      expect(isRetried, "a signal that was kept is heard").toBe(false);
      hasRested = true;
      await host.signal(runId, retry({ word: "changed" }), blocksAt);
      isRetried = true;
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
      left.shift()?.restart(machine);
      if (runId) expectRemembered(machine.events(runId), stage, hasRested);
      host = machine.host();
      armNext();
    }
  }
}

/** All steps before the one that was begun last are known to be done, and a run that rested is known to wait. */
function expectRemembered(events: RunEvent[], { calls }: Stage, hasRested: boolean): void {
  const kept = events.flatMap((event) => (event.type === "workflow.step.completed" ? addressText(event) : []));
  expect(kept).toEqual(expect.arrayContaining(calls.filter((address) => address !== calls.at(-1))));
  expect(events.some(({ type }) => type === "workflow.blocked") || !hasRested).toBe(true);
}
