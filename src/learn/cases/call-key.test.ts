import { expect, test } from "vitest";
import { callKey, shellCommand } from "./call-key.ts";

test("S15 S16 a script of a run and ACP's execute are commands of a shell", () => {
  expect(shellCommand({ name: "sh", args: "npm test" })).toBe("npm test");
  expect(shellCommand({ name: "execute", args: '{"command":"npm test"}' })).toBe("npm test");
  expect(shellCommand({ name: "Bash", args: "npm test" })).toBe("npm test");
  expect(shellCommand({ name: "Edit", args: "npm test" })).toBeUndefined();
});

test("S15 S16 a command of several words keeps all of them, and of a shell its script", () => {
  const command = (...words: string[]): string | undefined =>
    shellCommand({ name: "shell", args: JSON.stringify({ command: words }) });
  expect(command("npm", "test")).toBe("npm test");
  expect(command("grep", "a b", "x.txt")).toBe("grep 'a b' x.txt");
  expect(command("bash", "-lc", "npm test")).toBe("npm test");
  expect(callKey({ name: "shell", args: '{"command":["npm","test"]}' })).toBe("$ npm test");
});
