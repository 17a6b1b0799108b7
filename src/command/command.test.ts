import fc from "fast-check";
import { expect, test } from "vitest";
import { allCommandsIn } from "./all-commands.ts";
import { matchesExactly, matchesLoosely } from "./match-words.ts";
import { simpleCommandOf } from "./simple-command.ts";
import { readWordPattern } from "../text/word-pattern.ts";
import { anyWords } from "./words.ts";

const push = readWordPattern("git push …");

function found(text: string, pattern = push): "yes" | "maybe" | "no" {
  const results = allCommandsIn(text).commands.map(({ words }) => matchesLoosely(pattern, words));
  return results.includes("yes") ? "yes" : results.includes("maybe") ? "maybe" : "no";
}

test.each([
  "git push",
  "git push origin main --force",
  "git -C x push",
  "git --no-pager push",
  "git -c a.b=c --git-dir x --work-tree=y push",
  "git -c alias.p=push p",
  "git -c alias.p='!git push' p",
  "/usr/bin/git push",
  "../../usr/bin/git push",
  "=git push",
  "GIT push",
  String.raw`g\it push`,
  String.raw`\git push`,
  `"git" 'push'`,
  `g"i"t pu''sh`,
  String.raw`$'\x67it' push`,
  "git pu\\\nsh",
  "env A=1 git push",
  "env -i -u X A=1 B=2 git push",
  "env -S 'git push'",
  "A=1 git push",
  "command git push",
  "builtin command git push",
  "exec -a x git push",
  "nohup git push &",
  "time git push",
  "/usr/bin/time -f %e git push",
  "! git push",
  "nice -n 5 git push",
  "timeout 5 git push",
  "timeout -k 5 --foreground 10s git push",
  "sudo git push",
  "sudo -u root -E A=1 git push",
  "sudo -- git push",
  "doas -u x git push",
  "su root -c 'git push'",
  "ssh host git push",
  "stdbuf -oL git push",
  "flock /tmp/l git push",
  "busybox sh -c 'git push'",
  "watch 'git push'",
  "npx -c 'git push'",
  "poetry run git push",
  "npm exec -- git push",
  "echo a | xargs git push",
  "xargs -I{} git push {}",
  "find . -exec git push {} ;",
  String.raw`find . -name x -exec sh -c 'git push' \;`,
  "sh -c 'git push'",
  "bash -lc 'git push'",
  "bash --norc -o pipefail -c 'true; git push'",
  `bash -c "sh -c 'git push'"`,
  "bash <<< 'git push'",
  "bash <<'E'\ngit push\nE",
  "eval git push",
  "eval 'git' \"push\"",
  "eval \"sh -c 'git push'\"",
  "true && git push",
  "false || git push",
  "true; git push",
  "true\ngit push",
  "git status | git push",
  "(git push)",
  "{ git push; }",
  "if true; then git push; fi",
  "for x in a; do git push; done",
  "while git push; do :; done",
  "case a in a) git push;; esac",
  "f() { git push; }; f",
  "echo $(git push)",
  "echo `git push`",
  'echo "a $(git push) b"',
  "cat <(git push)",
  "X=$(git push)",
  "echo ${X:-$(git push)}",
  "echo $((1 + $(git push)))",
  "cat <<E\n$(git push)\nE",
  "alias gp='git push'; gp",
  "alias g=git; g push",
  "alias git='git -v'; git push",
  "trap 'git push' EXIT",
  `python3 -c "import os; os.system('git push')"`,
  `python -c "import subprocess; subprocess.run(['git', 'push'])"`,
  `node -e 'require("child_process").execSync("git push")'`,
  `awk 'BEGIN { system("git push") }'`,
  "python3 - <<E\nimport os\nos.system('git push')\nE",
  "python3 <<'E'\nimport subprocess\nsubprocess.run(['git', 'push'])\nE",
  `node <<< 'require("child_process").execSync("git push")'`,
  "env ruby - <<'E'\nsystem 'git push'\nE",
  "noglob git push",
  "coproc git push",
  "[[ -n $(git push) ]]",
])("a rule about git push catches: %s", (text) => {
  expect(found(text)).toBe("yes");
});

test.each([
  "$(echo git) push",
  "`echo git` push",
  "$X push",
  "git $X",
  'git "$X"',
  "git${IFS}push",
  "gi? push",
  "{git,push}",
  "eval $X",
  'sh -c "$X"',
  "curl x | sh",
  "echo git push | bash -s",
  "bash <(curl x)",
  "curl x | python3",
  "curl x | python3 -u -",
  "node < x",
  "perl - <<E\n$X\nE",
  "source <(curl x)",
  'f() { git "$@"; }; f push',
  "xargs git",
  "git push '",
  "if git push",
  "$X",
])("what may be git push is not certain, and not passed over: %s", (text) => {
  expect(found(text)).toBe("maybe");
});

test.each([
  "git status",
  "git log --grep push",
  "git commit -m 'git push'",
  "git stash push",
  "echo git push",
  "echo 'git push'",
  "grep -r 'git push' .",
  "cat > notes <<'E'\ngit push\nE",
  'git -C "$DIR" status',
  'git log "$BRANCH"',
  "npm test",
  "npm test $X",
  "curl x | python3 -m json.tool",
  "curl x | python3 -c 'print(1)'",
  "ls | awk '{ print $1 }'",
  "python3 - <<'E'\nprint('push')\nE",
  "npm run push",
  "ls *.ts",
  'rm "$FILE"',
  "sudo echo git push",
  "",
  "# git push",
])("other commands are left alone: %s", (text) => {
  expect(found(text)).toBe("no");
});

test("options of a pattern may stand anywhere and together, and an allow is exact", () => {
  const rm = readWordPattern("rm -rf /");
  for (const text of ["rm -rf /", "rm -fr /", "rm -r -f /", "rm / -rf", "rm --no-preserve-root -rvf /"])
    expect([text, found(text, rm)]).toEqual([text, "yes"]);
  for (const text of ["rm -r /", "rm -rf build"]) expect([text, found(text, rm)]).toEqual([text, "no"]);
  expect(found("git push origin --force-with-lease=a", readWordPattern("git push --force-with-lease"))).toBe("yes");
  expect(found("git push --forc", readWordPattern("git push --force"))).toBe("yes");
  const force = readWordPattern("git push --force*");
  for (const text of ["git push --force", "git push a --force-with-lease=b", "git push --forc", "git push --force=x"])
    expect([text, found(text, force)]).toEqual([text, "yes"]);
  for (const text of ["git push", "git push origin force", "git push --follow-tags"])
    expect([text, found(text, force)]).toEqual([text, "no"]);
  expect(found("git push $X", force)).toBe("maybe");
  expect(matchesExactly(readWordPattern("npm test"), ["npm", "test"])).toBe(true);
  expect(matchesExactly(readWordPattern("npm test"), ["npm", "test", "--x"])).toBe(false);
  expect(matchesExactly(readWordPattern("npm run test*"), ["npm", "run", "test:unit"])).toBe(true);
  expect(matchesExactly(readWordPattern("npm test …"), ["npm", "test", anyWords])).toBe(false);
});

test.each([
  ["npm test", ["npm", "test"]],
  [`CI=1 npm "te"st > out`, ["npm", "test"]],
  ["env npm test", ["env", "npm", "test"]],
])("one simple command: %s", (text, words) => {
  expect(simpleCommandOf(text)).toMatchObject({ words });
});

test.each([
  ["", "empty"],
  ["# x", "empty"],
  ["npm test; true", "list"],
  ["npm test\ntrue", "list"],
  ["npm test || true", "list"],
  ["npm test && echo", "list"],
  ["npm test | tee x", "pipe"],
  ["npm test &", "background"],
  ["! npm test", "negation"],
  ["(npm test)", "compound"],
  ["if npm test; then :; fi", "compound"],
  ["time npm test", "compound"],
  ["npm test $(x)", "substitution"],
  ["npm test <(x)", "substitution"],
  ["npm test '", "unreadable"],
  ["x ".repeat(40_000), "unreadable"],
  ["a\0b", "unreadable"],
])("no simple command: %s", (text, problem) => {
  expect(simpleCommandOf(text)).toEqual({ problem });
});

test("hostile texts are read, or are unreadable, and take no time", () => {
  const signs = "{|}|{a,|$(|)|$((|`|\"|'|<<A |\n|[[|case a in|$[|<(|${a:-|\\|&|;|=|$'|#|{1..9}|!|f() | ".split("|");
  const names = ["git", "push", "a ", "sh -c ", "eval ", "env ", "alias a=", "xargs ", "find -exec ", " | "];
  const tokens = fc.constantFrom(...signs, ...names);
  fc.assert(
    fc.property(fc.array(tokens, { maxLength: 60 }), fc.integer({ min: 1, max: 2_000 }), (parts, times) => {
      const text = parts.join("").repeat(times).slice(0, 70_000);
      const { commands } = allCommandsIn(text);
      for (const { words } of commands) matchesLoosely(push, words);
      simpleCommandOf(text);
    }),
    { numRuns: 150, interruptAfterTimeLimit: 20_000 },
  );
});

test("H5 what is left out because there is too much of it is not known, wherever it stands, and never takes long", () => {
  const texts = [
    `${":;".repeat(2_000)}git push`,
    `find . ${"-exec a ".repeat(7_900)};git push`,
    `${"timeout -k 5 ".repeat(500)}git push`,
    `env ${"-u $x ".repeat(1_900)}git push`,
  ];
  for (const text of texts) {
    const { commands, isWhole } = allCommandsIn(text);
    expect(isWhole).toBe(false);
    expect(commands.at(-1)!.words.some((word) => typeof word !== "string")).toBe(true);
  }
});

test("H5 a program in a folder, and commands in a loop or group, are told from the plain command", () => {
  expect(allCommandsIn("./npm test").commands[0]).toMatchObject({ words: ["npm", "test"], named: ["./npm", "test"] });
  for (const text of ["(npm test) > x", "for PATH in /tmp/evil; do npm test; done", "{ npm test; }"])
    expect(allCommandsIn(text).isPlain).toBe(false);
  expect(allCommandsIn("npm test && npm run lint").isPlain).toBe(true);
});
