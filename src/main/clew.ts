import { join } from "node:path";
import { asksForVersion, hasFolder, printVersion, refuseMissingFolder } from "../cli/before-start.ts";
import { loadChunk } from "./load-chunk.ts";
import type { start as Start } from "./start.ts";

declare const __CLEW_VERSION__: string;

const argv = process.argv.slice(2);

if (asksForVersion(argv)) printVersion(__CLEW_VERSION__);
else if (!hasFolder()) refuseMissingFolder(argv);
else {
  const start = loadChunk("start.cjs")["start"] as typeof Start;
  void start(argv, {
    version: __CLEW_VERSION__,
    builtins: join(__dirname, "builtins"),
    engines: join(__dirname, "engines"),
  });
}
