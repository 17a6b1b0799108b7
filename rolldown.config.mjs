import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";

const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));

// Everything is bundled but what must stay a package: the native SQLite binding finds its binary beside itself.
const external = ["@photostructure/sqlite", ...builtinModules, /^node:/];

/** @type {import("rolldown").BuildOptions} */
export default {
  input: { clew: "src/main/clew.ts" },
  platform: "node",
  external,
  tsconfig: false,
  transform: { target: "node20.19", define: { __CLEW_VERSION__: JSON.stringify(version) } },
  output: {
    // CommonJS starts faster than ESM, and a lazy import() becomes a plain require of one small file.
    format: "cjs",
    strict: true,
    dynamicImportInCjs: false,
    entryFileNames: "[name].cjs",
    chunkFileNames: "chunks/[name]-[hash].cjs",
    banner: (chunk) => (chunk.isEntry ? "#!/usr/bin/env node" : ""),
  },
};
