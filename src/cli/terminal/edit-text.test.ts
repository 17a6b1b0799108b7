import { expect, test } from "vitest";
import { editText } from "./edit-text.ts";

const edited = (script: string): ReturnType<typeof editText> =>
  editText("mine", { name: "a.txt", env: { PATH: process.env["PATH"], EDITOR: `sh -c '${script}' x` } });

test("S14 what an editor leaves that is no plain file, or far too long, is not read: the text stays as it was", async () => {
  for (const script of [
    'rm "$1"',
    'rm "$1"; mkfifo "$1"',
    'rm "$1"; ln -s /dev/zero "$1"',
    'dd if=/dev/zero of="$1" bs=1M seek=17 count=0 2>&-',
  ])
    expect([script, await edited(script)]).toEqual([script, { text: "mine", isFinished: false }]);
  expect(await edited('echo more >> "$1"')).toEqual({ text: "minemore\n", isFinished: true });
});
