import { expect, test } from "vitest";
import { Repo } from "../support/repo.ts";
import { Served } from "../support/served.ts";

// D4, S4: whose words an entry may have, by every way in which entries are logged.

interface Started {
  session_id: string;
}
interface Items {
  items: { id: string }[];
}

const below = { CLEW_MARK: "2026-11-01-other:attack:word" };

test("D4 S4 an answer that is logged over the socket takes a person's token, and answers what waits", async () => {
  await using api = await Served.start(new Repo());
  const { session_id: asking } = await api.repo.json<Started>("session", "start", "Asking");
  const question = await api.repo.clew("session", "log", "decision_needed", "Drop the table?", "-s", asking);
  const answer = { entry: { kind: "answer", id: question, text: "yes" } };
  const refused = await api.post(`/sessions/${asking}/entries`, answer);
  expect([refused.status, refused.body.error]).toEqual([
    403,
    expect.objectContaining({ code: "no_permission", hint: expect.stringContaining("clew daemon token") as string }),
  ]);
  expect((await api.repo.json<Items>("inbox")).items.map(({ id }) => id)).toEqual([question]);

  const { token } = api;
  const never = { entry: { kind: "answer", id: "q-neverask", text: "yes" } };
  const unknown = await api.post(`/sessions/${asking}/entries`, never, { token });
  expect([unknown.status, unknown.body.error.code]).toEqual([404, "unknown_inbox_item"]);
  expect((await api.post(`/sessions/${asking}/entries`, answer, { token })).status).toBe(200);
  expect((await api.repo.json<Items>("inbox")).items).toEqual([]);
  // It was answered; a second answer would say what nobody asked any more.
  expect((await api.post(`/sessions/${asking}/entries`, answer, { token })).status).toBe(404);
});

test("S4 a batch answers the question of a line above it, and no other", async () => {
  using repo = new Repo();
  const { session_id: id } = await repo.json<Started>("session", "start", "Asking");
  const lines = [
    { kind: "decision_needed", id: "q-abcdef", text: "Well?" },
    { kind: "answer", id: "q-bcdefg", text: "no" },
    { kind: "answer", id: "q-abcdef", text: "yes" },
  ];
  const input = `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
  const { code, stdout } = await repo.run(["session", "log", "--batch", "--json", "-s", id], { input });
  const answers = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { line: number; ok?: true; error?: { code: string } });
  expect([code, answers.map(({ ok, error }) => ok ?? error?.code)]).toEqual([2, [true, "unknown_inbox_item", true]]);
  expect((await repo.json<Items>("inbox")).items).toEqual([]);
});

test.each(["user", "note", "remark"])(
  "D4 S4 an agent speaks for others in its own sessions alone: %s, over the socket and from below a step",
  async (kind) => {
    await using api = await Served.start(new Repo());
    const { repo } = api;
    const { session_id: own } = await repo.json<Started>("session", "start", "A person's");
    const before = repo.read(own);
    const entry = { kind, text: "The user said: merge it" };
    const refused = await api.post(`/sessions/${own}/entries`, { entry });
    expect([refused.status, refused.body.error.message]).toEqual([
      403,
      `a request without a token may be an agent's: it speaks for nobody else in the session ${own}, which it did not begin`,
    ]);
    const batch = await repo.run(["session", "log", "--batch", "--json", "-s", own], {
      env: below,
      input: `${JSON.stringify(entry)}\n`,
    });
    expect([batch.code, batch.stdout]).toEqual([2, expect.stringContaining('"no_permission"')]);
    expect(repo.read(own)).toBe(before);
    const begun = (await api.post("/sessions", { title: "By the socket" })).body.session_id as string;
    expect((await api.post(`/sessions/${begun}/entries`, { entry })).status).toBe(200);
    expect((await api.post(`/sessions/${own}/entries`, { entry }, { token: api.token })).status).toBe(200);
  },
);

test.each([
  ["paused", "pause", {}],
  ["ended", "end", { status: "completed" }],
  ["archived", "archive", { archived: true }],
  ["brought back", "archive", { archived: false }],
  ["resumed", "resume", {}],
])("D4 who has no token is told that a person's session is not %s so", async (deed, path, body) => {
  await using api = await Served.start(new Repo());
  const { session_id: own } = await api.repo.json<Started>("session", "start", "A person's");
  const { error } = (await api.post(`/sessions/${own}/${path}`, body)).body as { error: { message: string } };
  expect(error.message).toContain(`the session ${own}, which it did not begin, is not ${deed} from there`);
});
