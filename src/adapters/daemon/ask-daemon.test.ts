import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { askDaemon } from "./ask-daemon.ts";

test.each([
  [200, '{"daemon": {"id": "abc"}}', { id: "abc" }],
  [429, '{"error": {"code": "too_many_requests"}}', "busy"],
  [200, '{"daemon": null}', undefined],
  [200, "null", undefined],
  [200, "a stranger", undefined],
])("D1 who answers %i %s is %j", async (status, body, expected) => {
  const folder = mkdtempSync(join(tmpdir(), "clew-ask-"));
  const socket = join(folder, "socket");
  const server = createServer((_, response) => response.writeHead(status).end(body));
  try {
    await once(server.listen(socket), "listening");
    expect(await askDaemon(socket)).toEqual(expected);
    expect(await askDaemon(join(folder, "none"))).toBeUndefined();
  } finally {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
