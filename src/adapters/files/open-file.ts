import { closeSync, constants, fdatasync, fdatasyncSync, fstatSync, ftruncateSync } from "node:fs";
import type { OpenFile } from "./disk.ts";
import { explainErrors, explainFailure } from "./failure.ts";
import { forWriting, openRegular, readRange, writeAll } from "./regular-file.ts";

/** A file of the real disk that stays open. With `mode`, a missing one is made. */
export function openFile(path: string, mode?: number): OpenFile {
  const { fd, stats } = openRegular(path, forWriting | (mode === undefined ? 0 : constants.O_CREAT), mode);
  let size = Number(stats.size);
  let isOpen = true;
  /** The descriptor of a closed file may soon belong to another file. */
  const whileOpen = <T>(work: () => T): T => {
    if (!isOpen) throw new Error(`${path} is closed`);
    return explainErrors(path, work);
  };
  return {
    readAt: (start, end) => whileOpen(() => readRange(fd, start, end)),
    append: (bytes) =>
      whileOpen(() => {
        try {
          writeAll(fd, bytes, size);
        } catch (error) {
          ftruncateSync(fd, size);
          throw error;
        }
        size += bytes.length;
      }),
    overwrite: (bytes) => whileOpen(() => writeAll(fd, bytes, 0)),
    sync: () =>
      new Promise((resolve, reject) => {
        whileOpen(() => fdatasync(fd, (error) => (error ? reject(explainFailure(error, path)) : resolve())));
      }),
    syncNow: () => whileOpen(() => fdatasyncSync(fd)),
    isGone: () => whileOpen(() => fstatSync(fd).nlink === 0),
    close: () => {
      if (isOpen) closeSync(fd);
      isOpen = false;
    },
  };
}
