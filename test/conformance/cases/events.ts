import { assumeRedacted } from "../../../src/contract/redacted.ts";
import { outputNote } from "../../../src/run/redact-note.ts";
import { describe, expect, it } from "vitest";
import type { JournalLine } from "../../../src/contract/run-journal.ts";
import { pinned, script } from "../../support/run-host.ts";
import { completed, goOn } from "../acts.ts";
import { Stage } from "../stage.ts";
import type { MakeWorld } from "../world.ts";

const steps = ["a", "b", "c", "d"].map((name) => script(name));

export function describeEvents(makeWorld: MakeWorld): void {
  describe("events", () => {
    it("G14 events of runs driven at the same time, by processes that die, are numbered without gaps", async () => {
      await using world = await makeWorld();
      const stages = [new Stage(), new Stage(), new Stage(), new Stage()];
      const [dying, other, next] = [world.host(), world.host(), world.host()];
      const hosts = [dying, other, dying, other];
      const ids = await Promise.all(hosts.map((host, index) => host.start(`numbered-${index}`, pinned(steps))));
      const gates = [stages[0]!.hold("b#1"), stages[2]!.hold("d#1")];
      const drives = hosts.map((host, index) =>
        host.drive(ids[index]!, { handlers: stages[index]!.handlers }).catch(() => undefined),
      );
      await Promise.all(gates.map(({ reached }) => reached));
      await world.crash(dying);
      expect(await Promise.all([drives[1], drives[3]])).toEqual([completed, completed]);
      expect(await goOn(next, ids[0]!, { handlers: stages[0]!.handlers })).toEqual(completed);
      expect(await goOn(next, ids[2]!, { handlers: stages[2]!.handlers })).toEqual(completed);

      const numbers = (await world.allEvents()).map(({ n }) => n);
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
      for (const id of ids) {
        const own = (await world.events(id)).map(({ n }) => n);
        expect(own).toEqual(own.toSorted((a, b) => a - b));
      }
    });

    it("G14 the driver is told of each event once, with the number under which it is kept", async () => {
      await using world = await makeWorld();
      const host = world.host();
      const id = await host.start("told", pinned(steps));
      const lines: JournalLine[] = [];
      const end = await host.drive(id, { handlers: new Stage().handlers, onLine: (line) => lines.push(line) });
      expect(end).toEqual(completed);
      const [started, ...rest] = await world.events(id);
      expect(started).toMatchObject({ type: "workflow.started", workflow_id: id, bead_id: "proj-1", grimoire: "flow" });
      expect(lines.flatMap((line) => ("n" in line ? line.n : []))).toEqual(rest.map(({ n }) => n));
    });

    it("G15 tokens are added up over the whole run, whoever did which step", async () => {
      await using world = await makeWorld();
      const stage = new Stage(() => ({ usage: { input_tokens: 10, output_tokens: 1, cost_usd: 0.5 } }));
      const [dying, next] = [world.host(), world.host()];
      const id = await dying.start("paid", pinned(steps));
      const gate = stage.hold("c#1");
      void dying.drive(id, { handlers: stage.handlers }).catch(() => undefined);
      await gate.reached;
      await world.crash(dying);
      expect(await goOn(next, id, { handlers: stage.handlers })).toEqual(completed);
      const usage = { input_tokens: 40, output_tokens: 4, cost_usd: 2 };
      expect((await world.events(id)).at(-1)).toMatchObject({ type: "workflow.completed", usage });
    });

    it("G15 what a handler says while it works is told as it comes", async () => {
      await using world = await makeWorld();
      const host = world.host();
      const id = await host.start("talk", pinned([script("talk")]));
      const said: unknown[] = [];
      await host.drive(id, {
        handlers: {
          script: async (_, { log }) => {
            log(outputNote("stdout", assumeRedacted("one\n")));
            log(outputNote("stderr", assumeRedacted("two\n")));
            return { success: true, output: "" };
          },
        },
        onLine: (line) => line.type === "step.output" && said.push([line.path, line.attempt, line.stream, line.text]),
      });
      expect(said).toEqual([
        ["talk", 1, "stdout", "one\n"],
        ["talk", 1, "stderr", "two\n"],
      ]);
    });
  });
}
