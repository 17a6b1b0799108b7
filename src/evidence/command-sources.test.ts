import { expect, test } from "vitest";
import { changedScript, commandSources } from "./command-sources.ts";

test.each<[command: string, scripts: string[], files: string[]]>([
  ["npm test", ["test", "pretest", "posttest"], [".npmrc"]],
  ["npm run check", ["check", "precheck", "postcheck"], [".npmrc"]],
  ["npm --prefix sub test", [], ["**/package.json"]],
  ["make test", [], ["Makefile"]],
  ["make -f build.mk test", [], ["build.mk"]],
  ["bash runtests", [], ["runtests"]],
  ["./test.sh", [], ["./test.sh"]],
])("H4 what decides what %s does", (command, scripts, files) => {
  const decided = commandSources(command.split(" "));
  expect(decided.scripts).toEqual(scripts);
  expect(decided.files).toEqual(expect.arrayContaining(files));
});

test("H4 a script that was changed, added or can no longer be read is told", () => {
  const before = '{"scripts": {"test": "node --test"}}';
  expect(changedScript(["test", "pretest"], before, before)).toBeUndefined();
  expect(changedScript(["test"], before, '{"scripts": {"test": "true"}}')).toContain('is "true" now');
  expect(changedScript(["test", "pretest"], before, '{"scripts":{"test":"node --test","pretest":"x"}}')).toContain(
    "pretest",
  );
  expect(changedScript(["test"], before, "{")).toContain("is nothing now");
});
