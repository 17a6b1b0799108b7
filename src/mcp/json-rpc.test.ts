import { expect, test } from "vitest";
import { readMessage } from "./json-rpc.ts";

const read = (value: unknown) => readMessage(JSON.stringify(value));

test.each([0, -7, 9007199254740991, "", "server-discover-probe-1", "1"])("H7 a request with the id %j", (id) => {
  const request = { jsonrpc: "2.0", id, method: "ping", params: { a: 1 } };
  expect(read(request)).toEqual({ kind: "request", id, method: "ping", params: { a: 1 } });
});

test.each([null, true, 1.5, 1e300, [1], { a: 1 }])("H7 a request with the id %j is refused", (id) => {
  const message = read({ jsonrpc: "2.0", id, method: "ping" });
  expect(message).toMatchObject({ kind: "invalid", answer: { status: 400, body: { id: null } } });
  expect(message).toHaveProperty("answer.body.error.code", -32600);
});

test("H7 notifications and responses want no answer", () => {
  expect(read({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } })).toEqual({
    kind: "silent",
  });
  expect(read({ jsonrpc: "2.0", method: "tools/call" })).toEqual({ kind: "silent" });
  expect(read({ jsonrpc: "2.0", id: 1001, result: { action: "decline" } })).toEqual({ kind: "silent" });
  expect(read({ jsonrpc: "2.0", id: 1001, error: { code: -32601, message: "no" } })).toEqual({ kind: "silent" });
});

test.each<[string, number]>([
  ["", -32700],
  ["{", -32700],
  ['{"jsonrpc":"2.0"', -32700],
  ["nonsense", -32700],
  ["[]", -32600],
  ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600],
  ["null", -32600],
  ["7", -32600],
  ['"ping"', -32600],
  ["{}", -32600],
  ['{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600],
  ['{"jsonrpc":"2.0","id":1}', -32600],
  ['{"jsonrpc":"2.0","id":1,"method":7}', -32600],
  ['{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}', -32602],
  ['{"jsonrpc":"2.0","id":1,"method":"ping","params":null}', -32602],
  ["[".repeat(1_000_000), -32700],
])("H7 what is no message is refused (%#)", (text, code) => {
  expect(readMessage(text)).toMatchObject({
    kind: "invalid",
    answer: { status: 400, body: { jsonrpc: "2.0", error: { code } } },
  });
});
