import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * Makes a program of one of the workers here. It finds its packages because it stands beside them; the test that asked for it
 * removes it. Gives its path.
 */
export async function buildWorker(name: string): Promise<string> {
  const file = join(root, "node_modules", ".cache", "clew", `${basename(name, ".ts")}-${process.pid}.mjs`);
  await build({
    input: fileURLToPath(new URL(name, import.meta.url)),
    platform: "node",
    external: /^[^./]/,
    logLevel: "silent",
    output: { file, format: "esm", codeSplitting: false },
  });
  return file;
}
