import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { fileURLToPath } from "node:url";

const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));

// Everything is bundled but what must stay a package: the native SQLite binding finds its binary beside itself, and only those
// who want their runs on Postgres install what that needs.
const external = ["@photostructure/sqlite", "@dbos-inc/dbos-sdk", "pg", ...builtinModules, /^node:/];

// commander loads this for a feature that Clew does not use: subcommands that are programs of their own. Loading it takes a
// quarter of what `node -e 0` takes.
/** @type {import("rolldown").Plugin} */
const withoutChildProcess = {
  name: "commander-without-child-process",
  transform: (code, id) =>
    id.includes("/commander/") ? code.replace("require('node:child_process')", "{}") : undefined,
};

// The program reads its chunks as ASCII, which is faster than UTF-8; other letters stand in strings only.
/** @type {import("rolldown").Plugin} */
const asciiOnly = {
  name: "ascii-only",
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== "chunk") continue;
      chunk.code = chunk.code.replace(/[^\x00-\x7f]/g, (letter) => {
        const code = letter.charCodeAt(0).toString(16).padStart(4, "0");
        return `\\u${code}`;
      });
    }
  },
};

/** @type {import("rolldown").BuildOptions} */
const common = {
  platform: "node",
  external,
  tsconfig: false,
  // yaml's build for browsers is made of modules, of which only those in use are taken.
  resolve: { alias: { yaml: fileURLToPath(new URL("node_modules/yaml/browser/dist/index.js", import.meta.url)) } },
  transform: { target: "node20.19", define: { __CLEW_VERSION__: JSON.stringify(version) } },
};

/** @type {import("rolldown").OutputOptions} */
const commonOutput = {
  // CommonJS starts faster than ESM, and a lazy import() becomes a plain require of one small file.
  format: "cjs",
  strict: true,
  dynamicImportInCjs: false,
  // Half the bytes to read and compile at each start. Names stay, so that stacks can be read.
  minify: { compress: true, mangle: false, codegen: true },
};

// Whatever needs one module of these needs them all, so that each is one chunk: two files to read instead of dozens. What the first
// has is not in the second.
const together = { program: "src/main/start.ts", app: "src/main/wire.ts" };

/** All that a module imports, directly or not, but for what is loaded later. */
class Needed {
  /** @type {Map<string, Set<string>>} */
  #of = new Map();

  /** @param {string} root @param {import("rolldown").ChunkingContext} context */
  by(root, context) {
    const known = this.#of.get(root);
    if (known) return known;
    const found = new Set([fileURLToPath(new URL(root, import.meta.url))]);
    // What is added while this goes through the set is gone through as well.
    for (const id of found) for (const each of context.getModuleInfo(id)?.importedIds ?? []) found.add(each);
    this.#of.set(root, found);
    return found;
  }
}

const needed = new Needed();

/** Engines that come with the program, each a program of its own. @type {import("rolldown").BuildOptions} */
export const engines = {
  ...common,
  input: { scripted: "src/adapters/engines/scripted/program.ts" },
  output: { ...commonOutput, entryFileNames: "engines/[name].cjs", chunkFileNames: "engines/[name]-[hash].cjs" },
};

/** What an engine calls at every step of an agent: alone, so that it loads nothing else. @type {import("rolldown").BuildOptions} */
export const hook = {
  ...common,
  input: { hook: "src/main/hook.ts" },
  plugins: [asciiOnly],
  output: { ...commonOutput, entryFileNames: "chunks/[name].cjs", chunkFileNames: "chunks/[name]-[hash].cjs" },
};

/** What programs and pages import as `clew/client`. @type {import("rolldown").BuildOptions} */
export const client = {
  platform: "browser",
  external: [/^node:/],
  tsconfig: false,
  transform: { target: "es2022" },
  input: { index: "src/client/index.ts", node: "src/client/node.ts" },
  output: { format: "esm", entryFileNames: "client/[name].mjs", chunkFileNames: "client/[name]-[hash].mjs" },
};

/** @type {import("rolldown").BuildOptions} */
export default {
  ...common,
  // The program's file, the chunk that it loads in its own way, the program of its threads, and one for the build alone.
  input: {
    clew: "src/main/clew.ts",
    start: "src/main/start.ts",
    "search-thread": "src/main/search-thread.ts",
    "api-document": "src/main/api-document.ts",
  },
  plugins: [withoutChildProcess, asciiOnly],
  output: {
    ...commonOutput,
    entryFileNames: (chunk) => (chunk.name === "clew" ? "[name].cjs" : "chunks/[name].cjs"),
    chunkFileNames: "chunks/[name]-[hash].cjs",
    codeSplitting: {
      groups: [
        {
          debugName: "together",
          name: (id, context) =>
            Object.entries(together).find(([, root]) => needed.by(root, context).has(id))?.[0] ?? null,
        },
        // Small things that many commands show results with.
        { name: "terminal", test: /\/src\/cli\/terminal\//, minShareCount: 6, maxModuleSize: 8_000 },
      ],
    },
    banner: (chunk) => (chunk.name === "clew" ? "#!/usr/bin/env node" : ""),
  },
};
