import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { assumeRedacted } from "../../contract/redacted.ts";
import { transcriptStart } from "../../session/transcript-name.ts";
import { nodeDisk } from "../files/node-disk.ts";
import { transcriptFiles } from "./transcript-files.ts";

test("W4 each start of an engine has a transcript of its own, also while the clock stands still", () => {
  const folder = mkdtempSync(join(tmpdir(), "clew transcripts "));
  try {
    const atMs = Date.UTC(2026, 10, 17, 14, 25, 28);
    const open = () => transcriptFiles(folder, nodeDisk, () => atMs).open({ owner: "s-1", label: "work" }, "claude");
    const transcripts = [open(), open(), open()];
    for (const [at, transcript] of transcripts.entries()) transcript.append([assumeRedacted(`line of ${at}\n`)]);
    const names = transcripts.map(({ name }) => name);
    expect(readdirSync(join(folder, "s-1")).toSorted()).toEqual(names.toSorted());
    expect(names.map((name) => readFileSync(join(folder, "s-1", name), "utf8"))).toEqual([
      "line of 0\n",
      "line of 1\n",
      "line of 2\n",
    ]);
    for (const name of names) expect(transcriptStart(name)).toEqual({ engine: "claude", atMs, label: "work" });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
