import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { inFolder } from "./children.fixture.ts";
import { makeStepFolder, nameStepFolder, removeStepFolder, scriptFileIn } from "./step-folder.ts";

const input = { kind: "script", shell: "sh", script: "true", values: { a: "1", b: "2" } } as const;

describe("G8 a step's folder", () => {
  test("G8 nobody else can read it", async () => {
    await inFolder(async (temp) => {
      const folder = nameStepFolder(temp);
      makeStepFolder(folder, input);
      const modes = [folder, scriptFileIn(folder), join(folder, "value-0"), join(folder, "value-1")].map((path) =>
        (statSync(path).mode & 0o777).toString(8),
      );
      expect(modes).toEqual(["700", "600", "600", "600"]);
      removeStepFolder(folder);
      expect(existsSync(folder)).toBe(false);
      expect(() => removeStepFolder(folder)).not.toThrow();
    });
  });

  test("G8 a folder that is there already is not taken", async () => {
    await inFolder(async (temp) => {
      const folder = nameStepFolder(temp);
      mkdirSync(folder);
      expect(() => makeStepFolder(folder, input)).toThrow("EEXIST");
    });
  });

  test("G8 nothing else is ever removed, whatever the journal says", async () => {
    await inFolder(async (temp) => {
      const open = nameStepFolder(temp);
      const precious = join(temp, "precious");
      const file = nameStepFolder(temp);
      const link = nameStepFolder(temp);
      mkdirSync(open, { mode: 0o755 });
      mkdirSync(precious);
      writeFileSync(file, "");
      symlinkSync(precious, link);
      const dots = `${nameStepFolder(temp)}/../precious`;
      for (const path of [open, precious, file, link, dots, temp, join(temp, "clew-step-"), ""]) {
        removeStepFolder(path);
      }
      expect([open, precious, file, link].map((path) => existsSync(path))).toEqual([true, true, true, true]);
    });
  });
});
