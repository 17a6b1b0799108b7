import { LineCounter, parseDocument, isSeq, isMap, isScalar, type Node } from "yaml";
import type { PolicyFiles } from "../../app/policy/ports.ts";
import { ClewError } from "../../contract/errors.ts";
import { isLoosening, readPolicy } from "../../contract/policy.ts";
import type { Disk } from "../files/disk.ts";
import { limits } from "../files/limits.ts";
import { rootPaths } from "../layout.ts";
import { policyLayers, repositoryDisk, type FileRules, type PolicyPlace } from "./policy-layers.ts";
import { trustedFiles } from "./trusted-files.ts";

/** Policies in the settings of the user and of a repository. */
export function policyFiles({ repository, env }: PolicyPlace): PolicyFiles {
  return {
    layers: () => policyLayers({ repository, env }, readRules),
    trust(isTrusted) {
      if (!repository) throw new ClewError("not_a_repository", "this is no repository", "go into one");
      const own = rootPaths.settings(repository.root);
      const text = textIn(repositoryDisk(repository), own);
      trustedFiles(env).set(own, isTrusted && text !== "" ? hashOf(text) : undefined);
      return own;
    },
  };
}

/** The rules in a file of settings; none where it is missing. Throws an Error in words for what cannot be read. */
export function readRules(disk: Disk, file: string): FileRules {
  const text = textIn(disk, file);
  if (!text.includes("policy")) return { rules: [], lines: [] };
  const { rules, lines } = rulesIn(text);
  return { rules, lines, ...(rules.some(isLoosening) && { hash: hashOf(text) }) };
}

function textIn(disk: Disk, file: string): string {
  return disk.read(file, limits.settings)?.toString("utf8") ?? "";
}

function hashOf(text: string): string {
  return process.getBuiltinModule("node:crypto").createHash("sha256").update(text).digest("hex");
}

function rulesIn(text: string): FileRules {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, logLevel: "silent" });
  const [error] = document.errors;
  if (error) throw new Error(error.message.split("\n")[0]);
  const node = isMap(document.contents) ? (document.get("policy", true) as Node | undefined) : undefined;
  if (node === undefined || (isScalar(node) && node.value === null)) return { rules: [], lines: [] };
  const lineOf = ({ range }: Node): number | undefined =>
    range?.[0] !== undefined ? counter.linePos(range[0]).line : undefined;
  const lines = isSeq(node) ? node.items.map((item) => lineOf(item as Node)) : [];
  try {
    return { rules: readPolicy(JSON.stringify(node.toJS(document))), lines };
  } catch (problem) {
    const { message } = problem as Error;
    const at = /^rule (\d+) /.exec(message);
    const line = (at && lines[Number(at[1]) - 1]) ?? lineOf(node);
    throw new Error(`line ${line}: policy: ${message}`, { cause: problem });
  }
}
