import { describe, expect, test } from "vitest";
import { diskFull } from "./disk-full.ts";

const ended = (stderr: string, code = 128) => diskFull({ code, stdout: Buffer.alloc(0), stderr }, import.meta.dirname);

describe("G12 a disk that git found full", () => {
  test.each([
    "fatal: unable to write loose object file: No space left on device",
    "fatal: sha1 file '/r/.git/index.lock' write error. Out of diskspace",
    "error: unable to write file large.bin",
    "fatal: cannot update ref 'HEAD': couldn't write '/r/.git/HEAD.lock'",
    "fatal: unable to write new index file",
    "fatal: write error: Disk quota exceeded",
  ])("is named: %s", (stderr) => {
    expect(ended(stderr)).toMatchObject({ code: "disk_full", message: expect.stringContaining(stderr) as string });
  });

  test.each([
    "error: gpg failed to sign the data\nfatal: failed to write commit object",
    "error: Your local changes to the following files would be overwritten by merge:\n\ta.txt",
    "fatal: Unable to create '/r/.git/index.lock': File exists.",
  ])("is not what this says: %s", (stderr) => {
    expect(ended(stderr)).toBeUndefined();
  });

  test("is no matter where git did what it was asked", () => {
    expect(ended("warning: no space left on device", 0)).toBeUndefined();
  });
});
