import { join } from "node:path";
import { expect, test } from "vitest";
import { runConformance } from "../../tools/mcp-conformance/tool.mjs";
import { ConformanceServer } from "../support/conformance-server.ts";

const folder = join(import.meta.dirname, "../../tools/mcp-conformance");

test.each(["2026-07-28", "2025-11-25"])(
  "H7 the public conformance tool finds what it requires of %s, but for what is named with its reason",
  async (revision) => {
    await using server = await ConformanceServer.start();
    const { code, text } = await runConformance(
      server.url,
      revision,
      join(folder, `expected-failures.${revision}.yml`),
    );
    expect({ code, text: code === 0 ? "" : text.slice(-6_000) }).toEqual({ code: 0, text: "" });
  },
);
