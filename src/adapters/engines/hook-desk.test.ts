import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { AgentHook } from "../../app/engine/agents.ts";
import type { HookEndpoints, HookReply } from "../../app/engine/hook-endpoint.ts";
import type { HookQuestion } from "../../app/hook/answer.ts";
import type { EvidenceLine, HookAnswer, HookFault } from "../../contract/hook.ts";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { openEvidence } from "../hooks/evidence-log.ts";
import { secretValue } from "./perform.fixture.ts";
import { ended, play, type Given, type Live } from "./live-agent.fixture.ts";

let place: string;
let faults: HookFault[];

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "clew-desk-")));
  execFileSync("git", ["init", "-q", place]);
  faults = [];
  return () => rmSync(place, { recursive: true });
});

/** Hands each body on, and checks nothing: the real server is `src/http/hook-endpoints.ts`. */
const endpoints: HookEndpoints = {
  async open(take) {
    const server = createServer((request, response) => {
      let text = "";
      request.setEncoding("utf8").on("data", (part: string) => (text += part));
      const send = ({ contentType, body }: HookReply): void =>
        void response.writeHead(200, { "content-type": contentType }).end(body);
      request.on("end", () => void take(text).then(send));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    return {
      server: { url: `http://127.0.0.1:${port}/`, token: "t" },
      close: () => new Promise((resolve) => (server.close(() => resolve()), server.closeAllConnections())),
    };
  },
};

/** An agent whose hooks are answered so. */
function hooked(turns: object[], answer: (question: HookQuestion) => HookAnswer | undefined, given: Given = {}): Live {
  const hooks = {
    endpoints: async () => endpoints,
    openEvidence: (owner: string) => openEvidence({ root: place, commonDir: join(place, ".git") }, owner),
    noteFault: (fault: HookFault) => void faults.push(fault),
    now: () => new Date(),
  };
  return play(place, turns, { until: "result", ...given, hooks: { hooks, answerHook: async (each) => answer(each) } });
}

const done = { result: { success: true, summary: "done" } };
const outputs = ({ events }: Live): string[] =>
  events.flatMap((event) => (event.type === "tool_result" ? event.output : []));
const evidence = (): EvidenceLine[] =>
  readFileSync(join(place, ".git/clew/evidence/unknown.jsonl"), "utf8")
    .split("\n")
    .flatMap((line) => (line === "" ? [] : [JSON.parse(line) as EvidenceLine]));

describe("H2 H5 what hooks are answered", () => {
  test("H5 a denied call is not made, and the reason is its result", async () => {
    const live = hooked([{ run: "touch made.txt" }, done], ({ event }) =>
      event === "PreToolUse" ? { decision: "deny", reason: "not on Fridays" } : undefined,
    );
    expect((await ended(live)).outcome).toBe("completed");
    expect(outputs(live)).toEqual(["not on Fridays"]);
    expect(existsSync(join(place, "made.txt"))).toBe(false);
    expect(evidence().filter(({ event }) => event.startsWith("PostToolUse"))).toEqual([]);
  });

  test("H5 another input is the one that is done, and told afterwards", async () => {
    const live = hooked([{ run: "echo one" }, done], ({ event, fields }) =>
      event === "PreToolUse" && fields["tool_name"] === "Bash" ? { input: { command: "echo two" } } : undefined,
    );
    await ended(live);
    expect(outputs(live)).toEqual(["two\n"]);
    expect(evidence().find(({ event }) => event === "PostToolUse")?.hook["tool_input"]).toEqual({
      command: "echo two",
    });
  });

  test("H5 H6 what is added reaches the model: turns that wait for it are played; a compaction forgets it", async () => {
    const turns = [
      { when: "remember the well", say: "I remember." },
      { compact: "manual", say: "What was it?" },
      { when: "remember the well", say: "I still know." },
      { when: "you are at step two", say: "I know where I am." },
      done,
    ];
    const live = hooked(turns, ({ event, fields }) => {
      if (event === "UserPromptSubmit") return { context: "remember the well" };
      return fields["source"] === "compact" ? { context: "you are at step two" } : undefined;
    });
    await ended(live);
    const words = live.events.flatMap((event) => (event.type === "message" ? event.text : []));
    expect(words).toEqual(["I remember.", "What was it?", "I know where I am."]);
    expect(live.events.filter(({ type }) => type === "compacted")).toHaveLength(1);
  });

  test("H5 an output is replaced, and a stop ends the agent with its reason", async () => {
    const live = hooked([{ tool: { name: "mcp__a__b", result: "old" } }, { run: "echo on" }, done], (question) => {
      if (question.event !== "PostToolUse") return undefined;
      return { output: "new", stop: "enough of this" };
    });
    const end = await ended(live);
    expect([outputs(live), end.outcome]).toEqual([["new"], "failed"]);
    expect(JSON.stringify(end.verdict)).toContain("enough of this");
  });
});

test("H3 the listener hears of a call before it is made and after it, redacted, and the engine waits", async () => {
  const heard: (Pick<AgentHook, "event"> & { isMade: boolean })[] = [];
  const fields: AgentHook[] = [];
  const live = hooked([{ run: `echo ${secretValue} > made.txt` }, done], () => undefined, {
    onHook: async (hook) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      heard.push({ event: hook.event, isMade: existsSync(join(place, "made.txt")) });
      fields.push(hook);
    },
  });
  await ended(live);
  expect(heard.filter(({ event }) => /^(?:Pre|Post)ToolUse$/.test(event))).toEqual([
    { event: "PreToolUse", isMade: false },
    { event: "PostToolUse", isMade: true },
  ]);
  expect(JSON.stringify(fields)).not.toContain(secretValue);
  const { id } = await live.seen("tool_call");
  expect(fields.filter(({ tool_use_id }) => tool_use_id === id)).toHaveLength(2);
});

test("H2 a listener or a policy that fails stops no agent, and is noted; the call is kept", async () => {
  const fail = (): never => {
    throw new Error(`broken with ${secretValue}`);
  };
  const live = hooked([{ run: "echo on" }, done], fail, { onHook: async () => fail() });
  expect((await ended(live)).outcome).toBe("completed");
  expect(outputs(live)).toEqual(["on\n"]);
  expect(faults.filter(({ event }) => event === "PreToolUse")).toHaveLength(2);
  expect(JSON.stringify(faults)).not.toContain(secretValue);
  expect(evidence().filter(({ event }) => event === "PreToolUse")).toHaveLength(1);
});

test("H3 evidence that was removed while an agent works begins anew", async () => {
  const file = join(place, ".git/clew/evidence/unknown.jsonl");
  const live = hooked([{ run: `rm '${file}'` }, done], () => undefined);
  await ended(live);
  expect(evidence().map(({ event }) => event)).toContain("PostToolUse");
});
