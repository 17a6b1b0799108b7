import { execFileSync } from "node:child_process";

/** The Node that runs the program under test: this one, unless `npm run test:nodes` names another. */
export const node = process.env["CLEW_TEST_NODE"] ?? process.execPath;

/** Flags under which Node itself refuses to start a process or to write a file; later versions renamed them. */
export function readOnlyFlags(): string[] {
  const known = execFileSync(node, ["-p", `process.allowedNodeEnvironmentFlags.has("--permission")`], {
    encoding: "utf8",
  });
  return [known.trim() === "true" ? "--permission" : "--experimental-permission", "--allow-fs-read=*"];
}
