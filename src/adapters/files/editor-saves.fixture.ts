import { renameSync, writeFileSync } from "node:fs";

/** The ways in which editors save a file. */
export const editorSaves = {
  "in place": (path: string, text: string) => writeFileSync(path, text),
  "by rename": (path: string, text: string) => {
    writeFileSync(`${path}~`, text);
    renameSync(`${path}~`, path);
  },
};
