import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ListedToken } from "../../src/contract/api/daemon.ts";
import { modeOf } from "../support/daemon-repo.ts";
import { Repo } from "../support/repo.ts";
import { RunRepo } from "../support/run-repo.ts";
import { fileIn, until } from "../support/runs.ts";
import { Served } from "../support/served.ts";

type MadeToken = ListedToken & { token: string };

test("D4 tokens are made once, listed without themselves, and revoked; only their hash is kept", async () => {
  using repo = new Repo();
  const token = await repo.clew("daemon", "token");
  expect(token).toMatch(/^clew_api_[a-z0-9]{10}_[\w-]{43}$/);
  const made = await repo.json<MadeToken>("daemon", "token", "--read-only", "--expires", "1d", "--name", "laptop");
  expect(made).toMatchObject({ name: "laptop", read_only: true, is_expired: false });
  const inADay = Date.parse(made.expires!) - Date.parse(made.created);
  expect(Math.abs(inADay - 86_400_000)).toBeLessThan(60_000);

  const folder = join(repo.home, "tokens");
  expect(modeOf(folder)).toBe("700");
  const files = readdirSync(folder);
  expect(files).toHaveLength(2);
  for (const name of files) {
    expect(modeOf(join(folder, name))).toBe("600");
    const text = readFileSync(join(folder, name), "utf8");
    expect(JSON.parse(text)).toMatchObject({ version: 1, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string });
    for (const secret of [token, made.token]) expect(text).not.toContain(secret.slice(-43));
  }

  const { tokens } = await repo.json<{ tokens: ListedToken[] }>("daemon", "token", "list");
  const { token: _, ...listed } = made;
  expect(tokens[1]).toEqual(listed);
  expect(tokens[0]).toMatchObject({ name: null, read_only: false, expires: null });
  expect(await repo.clew("daemon", "token", "list")).toMatch(/ID\s+NAME\s+MAY\s+CREATED\s+EXPIRES[^]*laptop\s+read/);

  expect(await repo.json("daemon", "token", "revoke", made.id)).toEqual({ id: made.id, revoked: true });
  expect((await repo.json<{ tokens: ListedToken[] }>("daemon", "token", "list")).tokens).toEqual([tokens[0]]);
  expect((await repo.refused(["daemon", "token", "revoke", made.id])).code).toBe("unknown_token");
  expect((await repo.refused(["daemon", "token", "revoke", "../state/daemon"])).code).toBe("unknown_token");
});

test("D7 a token that comes into a session is redacted, and so is one in its name", async () => {
  using repo = new Repo();
  const token = await repo.clew("daemon", "token");
  const id = await repo.clew("session", "start", "Call it");
  await repo.clew("session", "log", "text", `curl -H "Authorization: Bearer ${token}"`, "-s", id);
  expect(repo.read(id)).not.toContain(token.slice(-43));
  expect((await repo.json<MadeToken>("daemon", "token", "--name", token)).name).not.toContain(token.slice(-43));
});

test("D4 what is said of a token is checked", async () => {
  using repo = new Repo();
  for (const words of [
    ["--expires", "yesterday"],
    ["--expires", "2020-01-01"],
    ["--expires", "2030-02-30"],
  ])
    expect((await repo.refused(["daemon", "token", ...words])).code).toBe("usage");
  for (const name of ["", "x".repeat(101)])
    expect((await repo.refused(["daemon", "token", "--name", name])).code).toBe("invalid_input");
  expect(await repo.clew("daemon", "token", "list")).toBe("There are no tokens. clew daemon token makes one.");
});

test("D4 a person's token in the environment reaches neither the daemon nor what it or a command starts", async () => {
  const repo = new RunRepo('- {name: x, type: script, command: "env >> \\"$OUT\\""}');
  const out = fileIn(repo, "env.txt");
  const token = await repo.clew("daemon", "token");
  const env = { OUT: out.path, OWN_TOKEN: token, OWN_HEADER: `Authorization: Bearer ${token}`, OTHER: "stays" };
  await using api = await Served.start(repo, env);
  await until(async () => (await api.get("/workflows")).body.runs[0]?.status === "completed");
  const started = readFileSync(`/proc/${api.daemon.pid}/environ`, "utf8");
  for (const text of [started, readFileSync(out.path, "utf8")])
    expect([text.includes("OTHER=stays"), text.includes("clew_api_")]).toEqual([true, false]);
});
