import { expect, test } from "vitest";
import { portableCommand } from "./portable-command.ts";

const machine = { checkouts: ["/home/me/my repo", "/home/me/repo", "/srv/linked"], home: "/home/me" };

const portable = (command: string, folder = ""): string | undefined => {
  const found = portableCommand({ command, folder }, machine);
  return found && `${found.folder}|${found.command}`;
};

test.each([
  ["npm test", "|npm test"],
  ["cd /home/me/repo && npm run build", "|npm run build"],
  ["cd /home/me/repo/ ; npm run build", "|npm run build"],
  ['cd "/home/me/my repo" && npm test', "|npm test"],
  ["cd /home/me/my\\ repo/web && npm test", "web|npm test"],
  [
    "cd /home/me/repo/packages/a && npx vitest run /home/me/repo/b.test.ts",
    "packages/a|npx vitest run ../../b.test.ts",
  ],
  ["cd ~/repo && make", "|make"],
  ["cd /srv/linked && make", "|make"],
  ["cd /home/me/repo/.worktrees/b-1 && make -C /home/me/repo/.worktrees/b-1/c", "|make -C ./c"],
  ["/home/me/repo/check.sh --root=/home/me/repo", "|./check.sh --root=."],
  ["cd packages/a && npm test", "|cd packages/a && npm test"],
])("S16 harbor: %s runs on a task's own files", (command, expected) => {
  expect(portable(command)).toBe(expected);
});

test.each([
  "cd /home/me/other && npm test",
  "cd /home/me/repo2 && npm test",
  "cd /etc && make",
  "cd && make",
  "cd - && make",
  "cd $REPO && make",
  "cd /home/me/repo/../other && make",
  "make && cd /home/me/repo && make",
  "(cd /home/me/repo/a && make)",
  "pushd /home/me/repo; make",
  "cp dist/* ~/bin/",
  "rm -rf $HOME/other/dist",
  "cat file:///home/me/repo/x",
  "cat /home/me//repo/../repo/x",
  "cat /home/me/./repo/x",
  "cc -I/home/me/repo/include x.c",
  "cd /home/me/repo &&",
])("S16 harbor: no task runs %s", (command) => {
  expect(portable(command)).toBeUndefined();
});

test("S16 harbor: a command runs in the folder that its call names", () => {
  expect(portable("npm test", "/home/me/repo/packages/a")).toBe("packages/a|npm test");
  expect(portable("npm test", "packages/../b/")).toBe("b|npm test");
  expect(portable("npm test", "/elsewhere")).toBeUndefined();
  expect(portable("npm test", "../elsewhere")).toBeUndefined();
});
