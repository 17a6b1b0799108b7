import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { action, ExecutionRepo } from "../support/execution-repo.ts";
import { Served } from "../support/served.ts";

const execute = ["session", "execute", "-y"];

describe("T5 research", () => {
  test("T5 pages, questions and paths go into the next turn's context; pages of this machine only where the user allows it", async () => {
    using repo = await ExecutionRepo.begin();
    const server = createServer((request, response) => {
      if (request.url === "/moved") return response.writeHead(302, { location: "/page" }).end();
      if (request.url === "/binary") return response.writeHead(200, { "content-type": "image/png" }).end("x");
      response
        .writeHead(200, { "content-type": "text/html" })
        .end("<h1>Greet</h1><script>no()</script><p>ghp_0123456789abcdefghijABCDEFGHIJ012345 &amp; more</p>");
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      const sources = [`${url}/moved`, `${url}/binary`, "how do others greet?", "README.md"];
      repo.answers({
        "how do others greet": { say: "They wave.", result: { success: true, summary: "They wave.", outputs: {} } },
      });
      repo.write("README.md", "read\n");
      repo.plan("01", [action.research(`${url}/page`)]);
      expect((await repo.run(execute)).code).toBe(1);
      expect(repo.report("01").action_log[0]!.details).toContain("is no address of the web");
      repo.write("user/clew/config.yaml", "research_private: true\n");
      repo.plan("02", [action.research(...sources), action.invoke("architect", "Look at the layers.")]);
      const { code } = await repo.run(execute, { env: { XDG_CONFIG_HOME: join(repo.root, "user") } });
      expect(code).toBe(0);
    } finally {
      server.close();
    }
    const [found] = repo.report("02").action_log;
    expect(found).toMatchObject({
      status: "SUCCESS",
      output_file: "research-1.md",
      details: expect.stringContaining("it is image/png, and no text"),
    });
    const text = repo.turnFile(repo.session, "02", "research-1.md");
    expect(text).toContain(`Fetched from ${url}/page\n\nGreet`);
    expect(text).toContain("They wave.");
    expect([text.includes("no()"), text.includes("0123456789abcdefghij")]).toEqual([false, false]);
    const context = await repo.json<{ agent: string; files: { path: string; level: string }[] }>("session", "context");
    expect(context.agent).toBe("architect");
    expect(context.files.map(({ path, level }) => [level, path.split("/").at(-1)])).toContainEqual([
      "research",
      "research-1.md",
    ]);
  });
});

describe("T5 D2 turns over REST", () => {
  test("T5 D4 a person's token executes and undoes; without one nothing is done", async () => {
    using repo = await ExecutionRepo.begin();
    repo.plan("01", [action.create("a.txt", "a"), action.execute("cat a.txt")], ["- [+] A memo"]);
    await using api = await Served.start(repo);
    const { token } = api;
    const turn = `/sessions/${repo.session}/turns/01`;
    expect((await api.get(`${turn}/preview`)).body).toMatchObject({ turn: "01", to_approve: 2 });
    expect((await api.post(`${turn}/execute`, { approve: "all" })).status).toBe(401);
    const refused = await api.post(`${turn}/execute`, { approve: "allowed" }, { token });
    expect([refused.status, refused.body.error.code, repo.hasReport("01")]).toEqual([403, "needs_approval", false]);
    const done = await api.post(`${turn}/execute`, { approve: "all", memos: "accept" }, { token });
    expect([done.status, done.body.status, done.body.memos, repo.text("a.txt")]).toEqual([
      200,
      "SUCCESS",
      "accepted",
      "a\n",
    ]);
    expect((await api.get("/turns/verification")).body).toMatchObject({ intact: true });
    expect((await api.post(`${turn}/undo`, {}, { token })).body).toMatchObject({ undone: true });
    expect(repo.text("a.txt")).toBeUndefined();
  });
});
