// Builds the attack (test/attack) and starts it; arguments are its own.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));
const file = join(root, "node_modules", ".cache", "clew", `attack-${process.pid}.mjs`);
await build({
  input: join(root, "test/attack/main.ts"),
  platform: "node",
  logLevel: "silent",
  // The tests' helpers find the program from where they stand.
  transform: { define: { "import.meta.dirname": JSON.stringify(join(root, "test/support")) } },
  output: { file, format: "esm", codeSplitting: false },
});
const child = spawn(process.execPath, [file, ...process.argv.slice(2)], { stdio: "inherit" });
child.on("close", (code) => (process.exitCode = code ?? 1));
