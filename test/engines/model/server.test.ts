import { expect, test } from "vitest";
import { startModel } from "./server.ts";
import type { ModelServer } from "./server.ts";
import type { Script, Turn } from "./script.ts";

const shell: Turn = { say: "I look.", tool: { kind: "shell", input: { command: "ls" } } };

/** How each wire asks with one prompt, and with an answer and a tool's result behind it. */
const wires = {
  messages: {
    path: "/v1/messages",
    tools: [{ name: "Bash" }],
    first: { messages: [{ role: "user", content: "go" }] },
    second: {
      messages: [
        { role: "user", content: "go" },
        { role: "assistant", content: [{ type: "tool_use", id: "t", name: "Bash", input: {} }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: "a file" }] },
      ],
    },
    call: '"name":"Bash","input":{"command":"ls"',
  },
  responses: {
    path: "/v1/responses",
    tools: [{ type: "function", name: "exec_command" }],
    first: { input: [{ type: "message", role: "user", content: [{ type: "input_text", text: "go" }] }] },
    second: {
      input: [
        { type: "message", role: "user", content: "go" },
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "I look." }] },
        { type: "function_call", call_id: "t", name: "exec_command", arguments: "{}" },
        { type: "function_call_output", call_id: "t", output: "a file" },
      ],
    },
    call: '"name":"exec_command","arguments":"{\\"cmd\\":\\"ls\\"}"',
  },
  chat: {
    path: "/v1/chat/completions",
    tools: [{ type: "function", function: { name: "bash" } }],
    first: { messages: [{ role: "user", content: "go" }] },
    second: {
      messages: [
        { role: "user", content: "go" },
        { role: "assistant", content: "I look.", tool_calls: [] },
        { role: "tool", tool_call_id: "t", content: "a file" },
      ],
    },
    call: '"name":"bash","arguments":"{\\"command\\":\\"ls\\"',
  },
  gemini: {
    path: "/v1beta/models/some:generateContent",
    tools: [{ functionDeclarations: [{ name: "run_shell_command" }] }],
    first: { contents: [{ role: "user", parts: [{ text: "go" }] }] },
    second: {
      contents: [
        { role: "user", parts: [{ text: "go" }] },
        { role: "model", parts: [{ text: "I look." }] },
        { role: "user", parts: [{ functionResponse: { name: "run_shell_command", response: { output: "a file" } } }] },
      ],
    },
    call: '"name":"run_shell_command","args":{"command":"ls"',
  },
};

test.each(Object.entries(wires))("on the wire %s the turn follows from the request alone", async (_, wire) => {
  await using model = await startModel({ turns: [shell, { say: "I am done." }] });
  const ask = (body: object) => post(model, wire.path, { ...body, tools: wire.tools });
  // The order does not matter: the server keeps no count of its own.
  expect(await ask(wire.second)).toContain("I am done.");
  expect(await ask(wire.first)).toContain(wire.call);
  expect(model.rounds.map(({ news }) => news?.includes("a file"))).toEqual([true, false]);
});

test.each(Object.entries(wires))("on the wire %s a request without tools uses up no turn", async (_, wire) => {
  await using model = await startModel({ turns: [shell] });
  expect(await post(model, wire.path, wire.first)).toContain('"ok"');
  expect(model.requests).toHaveLength(1);
  expect(model.rounds).toEqual([]);
});

test.each(Object.entries(wires))("on the wire %s a stream has the whole answer, in events", async (_, wire) => {
  await using model = await startModel({ turns: [{ say: "a text that is longer than one piece" }] });
  const stream = await post(model, streamPath(wire.path), { ...wire.first, tools: wire.tools, stream: true });
  const events = stream
    .trim()
    .split("\n\n")
    .map((event) => event.replace(/^[\s\S]*?data: /u, ""));
  expect(events.length).toBeGreaterThan(3);
  const pieces = stream.match(/(?<="(?:text|content|delta)":")[^"]*(?=")/gu)?.join("") ?? "";
  expect(pieces).toContain("a text that is longer than one piece");
});

test("a turn with `when` is taken when its text is new, and not again behind its answer", async () => {
  const script: Script = { turns: [{ when: "hurry", say: "I hurry." }, { say: "one" }, { say: "two" }] };
  await using model = await startModel(script);
  const ask = (...messages: object[]) => post(model, "/v1/messages", { messages, tools: [{ name: "Bash" }] });
  const [hurry, answer] = [
    { role: "user", content: "hurry" },
    { role: "assistant", content: "I hurry." },
  ];
  expect(await ask({ role: "user", content: "go" })).toContain('"one"');
  expect(await ask(hurry)).toContain("I hurry.");
  expect(await ask(hurry, answer, { role: "user", content: "go" })).toContain('"two"');
});

test("a fault comes as often as it says, and then the answer", async () => {
  const error = { status: 529, type: "overloaded_error", message: "too busy" };
  await using model = await startModel({ turns: [{ say: "at last", fault: { error, times: 2 } }] });
  const ask = () => fetch(`${model.url}/v1/messages`, { method: "POST", body: firstOfMessages() });
  expect((await ask()).status).toBe(529);
  expect(await (await ask()).json()).toEqual({ type: "error", error: { type: error.type, message: error.message } });
  expect(await (await ask()).text()).toContain("at last");
});

test("a cut ends the stream in the middle, and a hang ends only with the server", async () => {
  await using model = await startModel({
    turns: [{ when: "cut", say: "never whole", fault: { cutAfterEvents: 2 } }, { fault: { hang: true } }],
  });
  const ask = (prompt: string) => post(model, "/v1/messages", JSON.parse(firstOfMessages(prompt)) as object);
  await expect(ask("cut")).rejects.toThrow("terminated");
  const hanging = ask("go").then(
    () => "answered",
    () => "cut off",
  );
  const later = new Promise((resolve) => void setTimeout(resolve, 200, "still silent"));
  expect(await Promise.race([hanging, later])).toBe("still silent");
  await model.close();
  expect(await hanging).toBe("cut off");
});

test("recorded requests hold no key, and counting is answered beside the script", async () => {
  await using model = await startModel({ turns: [] });
  const headers = { "x-api-key": "sesame-1", authorization: "Bearer sesame-2", "x-goog-api-key": "sesame-3" };
  const count = await fetch(`${model.url}/v1/messages/count_tokens?key=sesame-4`, {
    method: "POST",
    headers,
    body: firstOfMessages(),
  });
  expect(await count.json()).toEqual({ input_tokens: expect.any(Number) as number });
  expect(JSON.stringify(model.requests)).not.toContain("sesame");
});

function firstOfMessages(content = "go"): string {
  return JSON.stringify({
    messages: [{ role: "user", content }],
    tools: [{ name: "Bash" }],
    stream: content === "cut",
  });
}

async function post(model: ModelServer, path: string, body: object): Promise<string> {
  const response = await fetch(`${model.url}${path}`, { method: "POST", body: JSON.stringify(body) });
  return response.text();
}

function streamPath(path: string): string {
  return path.replace(":generateContent", ":streamGenerateContent");
}
