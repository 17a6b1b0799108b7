import { connect } from "node:net";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import type { ResultTool } from "../app/engine/result-tool.ts";
import { KeepingDesk } from "./desk.fixture.ts";
import { HttpResultTools } from "./result-tools.ts";

// The client is the public one of the protocol: what it makes of the server, other clients can.

async function connected({ server }: Pick<ResultTool, "server">, mode: "legacy" | { pin: string }): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL(server.url), {
    requestInit: { headers: server.headers },
  });
  await client.connect(transport);
  return client;
}

const isOpen = ({ server }: ResultTool): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });

test.each<["legacy" | { pin: string }, string]>([
  [{ pin: "2026-07-28" }, "2026-07-28"],
  ["legacy", "2025-11-25"],
])("H7 the protocol's own client hands in a result (%j)", async (mode, version) => {
  const desk = new KeepingDesk();
  const tool = await new HttpResultTools("1.2.3").open(desk);
  const client = await connected(tool, mode);
  expect(client.getNegotiatedProtocolVersion()).toBe(version);
  expect(client.getServerVersion()).toEqual({ name: "clew", title: "Clew", version: "1.2.3" });
  expect(client.getInstructions()).toContain("submit_result");
  const { tools } = await client.listTools();
  expect(tools).toMatchObject([{ name: "submit_result", inputSchema: desk.schema }]);
  const submit = (args: Record<string, unknown>) => client.callTool({ name: "submit_result", arguments: args });
  expect(await submit({ summary: "x" })).toMatchObject({
    isError: true,
    structuredContent: { accepted: false, problem: "the result has no success: true or false" },
  });
  const accepted = await submit({ success: true, summary: "Done." });
  expect(accepted.structuredContent).toEqual({ accepted: true });
  expect(accepted.content).toEqual([{ type: "text", text: '{"accepted":true}' }]);
  expect(desk.results).toEqual([{ success: true, summary: "Done." }]);
  await expect(client.callTool({ name: "other", arguments: {} })).rejects.toThrow("there is no tool of this name");
  await client.close();
  await tool.close();
});

test("D4 agents share a server; a token opens only its own agent's tool, and ends with it", async () => {
  const tools = new HttpResultTools("1");
  const desks = [new KeepingDesk(), new KeepingDesk(), new KeepingDesk()];
  const [first, second, third] = await Promise.all(desks.map((desk) => tools.open(desk)));
  const ports = [first!, second!, third!].map(({ server }) => new URL(server.url).port);
  expect(new Set(ports).size).toBe(1);
  expect(new Set([first!, second!, third!].map(({ server }) => server.headers["authorization"])).size).toBe(3);
  const crossed = { server: { ...first!.server, headers: second!.server.headers } };
  await expect(connected(crossed, "legacy")).rejects.toThrow("the token of this agent is needed");
  const client = await connected(second!, "legacy");
  await client.callTool({ name: "submit_result", arguments: { success: true, summary: "Second." } });
  await second!.close();
  await second!.close();
  await expect(
    client.callTool({ name: "submit_result", arguments: { success: true, summary: "Late." } }),
  ).rejects.toThrow("nothing is served here");
  expect(desks.map(({ results }) => results.length)).toEqual([0, 1, 0]);
  expect(await isOpen(first!)).toBe(true);
  await Promise.all([first!.close(), third!.close()]);
  expect(await isOpen(first!)).toBe(false);
});

test("D4 the server that closed with the last agent is opened again for the next", async () => {
  const tools = new HttpResultTools("1");
  const first = await tools.open(new KeepingDesk());
  const closing = first.close();
  const next = await tools.open(new KeepingDesk());
  await closing;
  expect(await isOpen(next)).toBe(true);
  await next.close();
  expect(await isOpen(next)).toBe(false);
});

test("D4 a server that was forgotten does not keep the process alive", async () => {
  const servers = (): number => process.getActiveResourcesInfo().filter((each) => each === "TCPServerWrap").length;
  const before = servers();
  const tool = await new HttpResultTools("1").open(new KeepingDesk());
  expect(await isOpen(tool)).toBe(true);
  expect(servers()).toBe(before);
  await tool.close();
});
