import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Repo } from "../support/repo.ts";

/** Looks like a token of a code host, and is none. */
const token = ["gh", "p_", "Zk3Vq8Lw1Xn6Rt9Bd4Hs7Jm2Py5Gc0Fa", "Ue8T"].join("");
const mark = "[redacted:github-token]";

/** Files in the repository's folder that hold `text`, the .git folder included. */
function filesWith(repo: Repo, text: string): string[] {
  try {
    return execFileSync("grep", ["-rlaF", text, repo.root], { encoding: "utf8" }).trim().split("\n");
  } catch {
    return [];
  }
}

test("D7 a secret in any part of any entry is nowhere on disk", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", `Rotate ${token}`);
  expect(id).toMatch(/^\d{4}-\d\d-\d\d-rotate-redacted-github-token$/);
  const said = `before ${token} after`;
  await repo.log(
    id,
    { kind: "phase", title: said },
    { kind: "tool", name: "curl", args: `-H 'Authorization: ${token}'`, result: said },
    { kind: "tool", name: "curl", args: `many\n${token}\nlines`, result: `${"x".repeat(80)} ${token}`, failed: true },
    ...["text", "decision", "task_complete", "note", "decision_needed", "approval_required"].map((kind) => ({
      kind,
      text: said,
    })),
    { kind: "error", text: said, resolution: said },
    { kind: "user", text: said, action: said },
    { kind: "subagent", agent: "a", mode: "inline", content: said, summary: said },
    { kind: "subagent", agent: "b", mode: "embed", content: said, summary: said },
    { kind: "tasks", tasks: [{ id: "1", content: said, status: "pending", priority: token }] },
  );
  await repo.clew("session", "rename", id, said);
  await repo.clew("session", "end", id, "--status", "failed", "--error", said, "--summary", said);
  const { items } = await repo.json<{ items: { id: string; text: string }[] }>("inbox");
  expect(items.map((item) => item.text)).toEqual([`before ${mark} after`, `before ${mark} after`]);
  await repo.clew("inbox", "answer", items[0]!.id, said);
  await repo.clew("search", "before");
  await repo.clew("index", "rebuild");
  expect(filesWith(repo, token)).toEqual([]);
  expect((await repo.show(id)).phases[0]).toMatchObject({ title: `before ${mark} after` });
});

test("D7 a secret given as agent, channel, model or task id is nowhere on disk either", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Odd", "--agent", token, "--channel", token, "--model", token);
  await repo.log(
    id,
    { kind: "phase", title: "P", agent: token, channel: token },
    { kind: "tool", name: token },
    { kind: "tokens", tokens: 5, model: token },
    { kind: "tasks", tasks: [{ id: token, content: "c", status: "pending" }] },
    { kind: "subagent", agent: token, model: token, mode: "link" },
  );
  expect(filesWith(repo, token)).toEqual([]);
});

test("D7 a branch named after a secret does not take it into the record", async () => {
  using repo = new Repo();
  repo.git("switch", "-qc", `fix-${token}`);
  const id = await repo.clew("session", "start", "On a branch");
  expect(repo.read(id)).not.toContain(token);
});

test("D7 args over 16 KB are kept whole in a file, but for the secret", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Long");
  await repo.log(id, { kind: "tool", name: "write", args: `${"a\n".repeat(10_000)}${token}\nend` });
  expect(filesWith(repo, token)).toEqual([]);
  const [entry] = (await repo.show(id)).phases[0]!.entries;
  const { full } = entry as { full: string };
  expect(existsSync(join(repo.root, full))).toBe(true);
  expect(readFileSync(join(repo.root, full), "utf8")).toBe(`${"a\n".repeat(10_000)}${mark}\nend`);
});

test("D7 values of secret-looking environment variables are replaced wherever they stand", async () => {
  using repo = new Repo();
  const env = { DEPLOY_API_TOKEN: ["q7", "Lz", "0pXv", "4Kd9", "=="].join(""), HARMLESS: "plain-value-here" };
  const id = await repo.clew("session", "start", "Deploy");
  const input = [
    { kind: "text", text: `used ${env.DEPLOY_API_TOKEN}, then ${env.HARMLESS}` },
    { kind: "tool", name: env.DEPLOY_API_TOKEN, args: "a b", result: `got ${env.DEPLOY_API_TOKEN}` },
  ];
  const outcome = await repo.run(["session", "log", "--batch", "-s", id], {
    env,
    input: input.map((each) => JSON.stringify(each)).join("\n"),
  });
  expect(outcome.code).toBe(0);
  expect(filesWith(repo, env.DEPLOY_API_TOKEN)).toEqual([]);
  const [text, tool] = (await repo.show(id)).phases[0]!.entries;
  expect(text).toMatchObject({
    text: expect.stringMatching(/^used \[redacted:env[ _-]DEPLOY_API_TOKEN\], then plain-value-here$/) as string,
  });
  // The mark stands in place of one word, and a tool's name is one word.
  expect(tool).toMatchObject({
    kind: "tool",
    name: expect.stringMatching(/^redacted:env-\S+$/) as string,
    args: "a b",
  });
});

test("D7 a secret that a person typed into session.md goes no further than that file", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Typed");
  await repo.log(id, { kind: "text", text: "hello" });
  writeFileSync(
    repo.path(id),
    `${repo.read(id)}\nMy key is ${token}.\n\n> [!decision_needed] q-abcdef\n> Use ${token}?\n`,
  );
  await repo.clew("index", "check");
  expect(await repo.clew("search", "key")).toContain("My key is");
  expect(filesWith(repo, token)).toEqual([repo.path(id)]);
});

test("D7 a secret that a person typed into session.md stays in that file: no copy, state or index has it", async () => {
  using repo = new Repo();
  const id = "2026-11-01-typed";
  const typed = `it's "${token}"`;
  repo.place(
    id,
    { title: "Typed", channel: `c-${token}`, participants: [`a-${token}`] },
    `\n# Typed\n\n## Ask ${typed}\n\n> [!decision]\n> ${typed}\n\n> [!decision_needed]\n> Use ${typed}?\n`,
  );
  const child = await repo.clew("session", "log", "subagent", "--agent", "tester", "--mode", "link", "-s", id);
  await repo.clew("session", "end", child, "--summary", "seen");
  await repo.clew("session", "log", "phase", "Next", "-s", id);
  expect((await repo.json<{ items: { text: string }[] }>("inbox")).items.map(({ text }) => text)).toEqual([
    `Use it's "${mark}"?`,
  ]);
  await repo.clew("search", "Use");
  await repo.clew("index", "rebuild");
  expect(filesWith(repo, token)).toEqual([repo.path(id)]);
  expect(repo.read(id).split("\n> [!decision]\n").length).toBe(2);
  // An editor that saves what it had opened brings nothing twice, though the copy has it otherwise.
  const whole = repo.read(id);
  writeFileSync(repo.path(id), whole.slice(0, whole.indexOf("\n> [!subagent]")));
  await repo.clew("session", "log", "text", "on", "-s", id);
  const mended = repo.read(id);
  expect([mended.split("\n> [!decision]\n").length, mended.split("\n> [!subagent]").length]).toEqual([2, 2]);
  expect(mended).toContain(`> ${typed}\n`);
});

test("D7 a title is redacted before it is cut or laid on one line", async () => {
  using repo = new Repo();
  repo.env["OTHER_SECRET"] = "first  half\nsecond-half9";
  const id = await repo.clew("session", "start", "Plain");
  await repo.clew("session", "rename", id, `${"p".repeat(165)} ${token}`);
  expect(filesWith(repo, token.slice(0, 20))).toEqual([]);
  await repo.clew("session", "rename", id, `Two lines: ${repo.env["OTHER_SECRET"]}`);
  expect(filesWith(repo, "second-half9")).toEqual([]);
});
