import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { TurnLine } from "../../src/contract/turn.ts";
import { engineNames } from "../../tools/engines/programs.mjs";
import { action } from "../support/execution-repo.ts";
import { planText } from "../support/turn-repo.ts";
import { describeEngines } from "./asked-engines.ts";
import { RealWorkRepo } from "./real-work-repo.ts";

const timeout = 240_000;

describeEngines(engineNames, "turns with the real", (name) => {
  test(
    "T3 T5 T7 three turns, a branch and an undo: the model saw the context log, and nothing was called",
    { timeout },
    async () => {
      const edit = (from: string, to: string): string => action.edit("greet.sh", `echo ${from}`, `echo ${to}`);
      const plans = [
        planText("Look", { vault: ["greet.sh"], actions: action.read("greet.sh") }),
        planText("Greet", { vault: ["greet.sh"], actions: edit("hello", "welcome") + action.execute("sh greet.sh") }),
        planText("Shout", { vault: ["greet.sh"], actions: edit("welcome", "WELCOME") }),
        planText("Whisper", { vault: ["greet.sh"], actions: edit("welcome", "psst") }),
      ];
      await using repo = await RealWorkRepo.of([name]);
      const greets = (): string => readFileSync(join(repo.root, "greet.sh"), "utf8");
      writeFileSync(join(repo.root, "greet.sh"), "echo hello\n");
      const { session_id: id, path } = await repo.json<{ session_id: string; path: string }>(
        "session",
        "new",
        "greeting",
      );
      const turn = async (plan: string, ...words: string[]): Promise<void> => {
        repo.answers(plan);
        await repo.clew("session", ...words);
        await repo.clew("session", "execute", "-y");
      };
      await turn(plans[0]!, "plan", "-m", "What is here?");
      await turn(plans[1]!, "plan", "-m", "Greet people");
      await turn(plans[2]!, "plan", "-m", "Louder");
      expect(greets()).toBe("echo WELCOME\n");
      await repo.clew("session", "undo", "03");
      expect(greets()).toBe("echo welcome\n");
      await turn(plans[3]!, "branch", "03", "-m", "Rather softly");
      expect(greets()).toBe("echo psst\n");

      const lines = readFileSync(join(path, "turns.jsonl"), "utf8").trimEnd().split("\n");
      const planned = lines.map((line) => JSON.parse(line) as TurnLine).filter((line) => line.type === "planned");
      expect(planned.map((line) => [line.turn, line.engine])).toEqual([
        ["01", name],
        ["02", name],
        ["03", name],
        ["03-branch-01", name],
      ]);
      for (const { turn: each } of planned) {
        const log = readFileSync(join(path, each, "_context.log"), "utf8");
        const sent = name === "qwen" ? log.trim() : log;
        expect(
          repo.model.rounds.some((round) => JSON.stringify(round).includes(JSON.stringify(sent).slice(1, -1))),
        ).toBe(true);
      }
      expect(readFileSync(join(path, "03-branch-01/_context.log"), "utf8")).toContain("Rather softly");
      await repo.clew("session", "verify", id);
      // What the engine itself left of planning is never imported again.
      expect(await repo.json<{ imported: number }>("session", "import")).toMatchObject({ imported: 0 });
    },
  );
});
