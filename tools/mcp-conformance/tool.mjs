// The public conformance tool for MCP servers. It needs a later Node than Clew does.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { withLock } from "../../scripts/lib/lock.mjs";
import { installPackages, whyInstall } from "../../scripts/lib/packages.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));

async function install() {
  if (!whyInstall(here)) return;
  await withLock(here, async (noteChild) => {
    if (!whyInstall(here)) return;
    process.stderr.write("installing the conformance tool of MCP into tools/mcp-conformance (about 200 MB, once)…\n");
    await installPackages(here, noteChild);
  });
}

/**
 * @param {string} url
 * @param {string} requirements
 * @param {string} expectedFailures
 */
export async function runConformance(url, requirements, expectedFailures) {
  await install();
  const node = join(here, `node_modules/node-22-${process.platform}-${process.arch}/bin/node`);
  const program = join(here, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
  const options = ["server", "--url", url, "--requirements", requirements, "--expected-failures", expectedFailures];
  return new Promise((resolve) => {
    execFile(node, [program, ...options], { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      resolve({ code: error ? (error.code ?? null) : 0, text: `${stdout}${stderr}` });
    });
  });
}
