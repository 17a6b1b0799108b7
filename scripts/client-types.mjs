// Writes the types of `clew/client` into dist/types, when the package is made. They are those of the table of operations, file by
// file, so that nothing describes them twice; a build alone does not need them.
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const outDir = "dist/types";

rmSync(new URL(`../${outDir}`, import.meta.url), { recursive: true, force: true });
// A project of its own: the options are those of tsconfig.json, the files only what the client needs.
const options =
  "--ignoreConfig --declaration --emitDeclarationOnly --rootDir src --target ES2023 --lib ES2023,ES2024.String,DOM --types node " +
  "--skipLibCheck --strict --module ESNext --moduleResolution bundler --allowImportingTsExtensions " +
  "--exactOptionalPropertyTypes --verbatimModuleSyntax";
execFileSync(
  process.execPath,
  [
    "node_modules/typescript/bin/tsc",
    ...options.split(" "),
    "--outDir",
    outDir,
    "src/client/index.ts",
    "src/client/node.ts",
  ],
  {
    cwd: root,
    stdio: "inherit",
  },
);
