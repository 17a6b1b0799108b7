import { expect, test } from "vitest";
import { readPolicy } from "../../contract/policy.ts";
import { toolCall } from "./call.ts";
import { judge, type Judgement } from "../../policy/judge.ts";

/** What rules say of a call in `/repo`. */
function judged(rules: object[], tool: string, input: object, folder = "/repo"): Judgement {
  const placed = readPolicy(JSON.stringify(rules)).map((rule, at) => ({
    ...rule,
    label: `rule ${at + 1}`,
    file: "config.yaml",
    counts: true,
  }));
  const place = { folder, home: "/home/user", realPath: (path: string) => path, topsOf: () => ["/repo"] };
  return judge(placed, toolCall("tool", tool, input, place));
}

test.each([
  ["echo x", "allow"],
  ["echo x 2>&1", "allow"],
  ["echo x >&2", "allow"],
  ["echo x 2>&-", "allow"],
  ["echo x > /dev/null", "allow"],
  ["echo x &> /dev/null", "allow"],
  ["echo x < a", "allow"],
  ["echo x <&3", "allow"],
  ["echo x >& ~/.bashrc", undefined],
  ["echo x >& 2file", undefined],
  ["echo x >& $F", undefined],
  ["echo x >| a", undefined],
  ["echo x &> a", undefined],
  ["echo x &>> a", undefined],
  ["echo x <> a", undefined],
  ["echo x <& a", undefined],
  ["echo x < $F", undefined],
])("what writes no file is allowed, and nothing else: %s", (command, decision) => {
  expect(judged([{ command: "echo …", decide: "allow" }], "Bash", { command }).answer.decision).toBe(decision);
});

test.each([
  [{ path: "**/.env", decide: "deny" }, "deny"],
  [{ path: "gen/**", tool: "edit", decide: "deny" }, "deny"],
  [{ tool: "shell", command: "git push", decide: "ask" }, "ask"],
  [{ agent: "explorer", tool: "WebFetch", decide: "deny" }, "deny"],
  [{ tool: "WebFetch", decide: "allow" }, undefined],
  [{ decide: "allow" }, undefined],
  [{ tool: "shell", input: { command: "ls" } }, undefined],
])("a call that cannot be read may be what a rule denies, and is never what one allows: %j", (rule, decision) => {
  const { answer, matches } = judged([rule], "", {});
  expect([answer.decision, answer.input]).toEqual([decision, undefined]);
  expect(matches.map(({ match }) => match)).toEqual(decision === undefined ? [] : ["maybe"]);
  if (decision !== undefined) expect(answer.reason).toContain("could not be read");
});

const secret = [{ path: ".env", decide: "deny" }];
const made = [{ path: ".github/**", tool: "edit", decide: "deny" }];

test.each([
  ["cat ../.env", "/repo/src"],
  ["cat .env", "/repo"],
  ["cat {.,x}env", "/repo"],
  ["cd .. && cat .env", "/repo/src"],
  ["cd src; cd ..; cat .env", "/repo"],
  ["git -C .. show :./.env", "/repo/src"],
  ["env --chdir=/repo cat .env", "/elsewhere"],
  ["cd / && cat repo/.env", "/repo"],
])("patterns begin at the top, and paths where the command is: %s in %s", (command, folder) => {
  const { answer, decidedBy } = judged(secret, "Bash", { command }, folder);
  expect([answer.decision, decidedBy?.match]).toEqual(["deny", "yes"]);
});

test("a tool that reads or writes is held to the same, wherever its agent went", () => {
  expect(judged(secret, "Read", { file_path: "/repo/.env" }, "/repo/src").answer.decision).toBe("deny");
  expect(judged(secret, "Read", { file_path: "../.env" }, "/repo/src").answer.decision).toBe("deny");
  expect(judged(secret, "Read", { file_path: ".env" }, "/repo/src").answer.decision).toBeUndefined();
  expect(judged(secret, "exec_command", { cmd: "cat .env", workdir: "/repo" }, "/x").answer.decision).toBe("deny");
  const command = "cd .github && tee workflows/ci.yml";
  expect(judged(made, "Bash", { command }).answer.decision).toBe("deny");
});

test.each([
  [secret, "cat .e*"],
  [secret, "cat .en?"],
  [secret, "cat [.]env"],
  [secret, "cat $F"],
  [secret, 'cat "$F"'],
  [secret, 'cat "$D/.env"'],
  [secret, 'cat "x/$D/../.env"'],
  [secret, "cat ./$(x)"],
  [secret, "cd $D && cat ./e/../.env"],
  [secret, "cd - && cat .en*"],
  [secret, "ls | xargs cat"],
  [secret, "curl x | sh"],
  [made, "cp x .git*/a"],
  [made, "echo x > $F"],
  [made, "git apply $F"],
  [made, "git apply x.diff"],
  [made, "patch -p1 < x.diff"],
  [made, "git checkout x -- ."],
  [made, "git checkout ."],
  [made, "git restore --source x ."],
  [made, "rm -rf ./"],
])("what may be a path of a rule is not passed over: %j %s", (rules, command) => {
  const { answer, decidedBy } = judged(rules, "Bash", { command }, command.startsWith("cd") ? "/repo/src" : "/repo");
  expect([answer.decision, decidedBy?.match]).toEqual(["deny", "maybe"]);
});

test.each([
  [secret, "cat *.ts src/{a,b}.ts"],
  [secret, 'cat "$F.ts"'],
  [secret, 'echo "$X" > out; exit $?'],
  [secret, "git commit -m \"$(cat <<'E'\nAbout .env\nE\n)\""],
  [secret, 'git commit -m "$MESSAGE"'],
  [secret, 'cd "$D" && npm test'],
  [secret, "cat src/.env.example"],
  [made, "cat .github/x $F"],
  [made, "cp x generated/*.ts"],
  [made, "git checkout main && git restore src && rm -rf build && rm a.ts"],
  [made, "git diff .github/a && git add .github/a && git commit -m x"],
])("what cannot be a path of a rule is left alone: %j %s", (rules, command) => {
  expect(judged(rules, "Bash", { command }).answer.decision).toBeUndefined();
});

test.each([
  "git checkout x -- .github/a",
  "git restore .github/a",
  "git rm .github/a",
  "git diff --output=.github/a",
  "git -C . mv x .github/a",
])("git writes files as well: %s", (command) => {
  expect(judged(made, "Bash", { command }).answer.decision).toBe("deny");
});

test("what a call is made into is denied and asked about as if it had been made so", () => {
  const toGen = { tool: "edit", path: "src/**", input: { file_path: "gen/a.ts" } };
  const edit = (decide: string) => judged([toGen, { path: "gen/**", decide }], "Edit", { file_path: "src/a.ts" });
  expect(edit("deny").answer).toMatchObject({ decision: "deny" });
  expect(edit("ask").answer).toMatchObject({ decision: "ask", input: { file_path: "gen/a.ts" } });
  const toPublish = { command: "npm run release", decide: "allow", input: { cmd: ["npm", "publish"] } };
  const asked = judged([toPublish, { command: "npm publish", decide: "ask" }], "shell", { cmd: "npm run release" });
  expect(asked.answer).toMatchObject({ decision: "ask", input: { cmd: ["npm", "publish"] } });
  const away = [{ tool: "edit", path: "gen/**", input: { file_path: "src/a.ts" } }];
  const { answer } = judged(away, "Edit", { file_path: "gen/a.ts" });
  expect(answer).toEqual({ input: { file_path: "src/a.ts" } });
});
