import { mkdirSync, rmdirSync } from "node:fs";
import { dirname } from "node:path";

/** Makes the folders that a path stands in. What is returned removes those again that it made, as far as they are empty. */
export function makeParents(path: string): () => void {
  const first = mkdirSync(dirname(path), { recursive: true });
  return () => {
    if (first === undefined) return;
    try {
      for (let folder = dirname(path); folder.length >= first.length; folder = dirname(folder)) rmdirSync(folder);
    } catch {
      // Something stands in it.
    }
  };
}
