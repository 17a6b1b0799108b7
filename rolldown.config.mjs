import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";

const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));

// Everything is bundled but what must stay a package: the native SQLite binding finds its binary beside itself.
const external = ["@photostructure/sqlite", ...builtinModules, /^node:/];

// commander loads this for a feature that Clew does not use: subcommands that are programs of their own. Loading it takes a
// quarter of what `node -e 0` takes.
/** @type {import("rolldown").Plugin} */
const withoutChildProcess = {
  name: "commander-without-child-process",
  transform: (code, id) =>
    id.includes("/commander/") ? code.replace("require('node:child_process')", "{}") : undefined,
};

/** @type {import("rolldown").BuildOptions} */
export default {
  input: { clew: "src/main/clew.ts" },
  platform: "node",
  external,
  tsconfig: false,
  plugins: [withoutChildProcess],
  transform: { target: "node20.19", define: { __CLEW_VERSION__: JSON.stringify(version) } },
  output: {
    // CommonJS starts faster than ESM, and a lazy import() becomes a plain require of one small file.
    format: "cjs",
    strict: true,
    dynamicImportInCjs: false,
    entryFileNames: "[name].cjs",
    chunkFileNames: "chunks/[name]-[hash].cjs",
    // Half the bytes to read and compile at each start. Names stay, so that stacks can be read.
    minify: { compress: true, mangle: false, codegen: true },
    banner: (chunk) => (chunk.isEntry ? "#!/usr/bin/env node" : ""),
  },
};
