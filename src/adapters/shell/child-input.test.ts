import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { ChildInput, maxWaitingBytes } from "./child-input.ts";
import { run, until } from "./children.fixture.ts";

test("H9 what is written before and while a child works is read in order, until it is closed", async () => {
  const stdin = new ChildInput();
  stdin.write("early\n");
  let printed = "";
  const end = await run(
    ["cat"],
    { stdin },
    {
      onStdout(text) {
        printed += text;
        if (printed === "early\n") {
          stdin.write("late\n");
          stdin.close();
        }
      },
    },
  );
  expect(end).toMatchObject({ code: 0, ended: "exited" });
  expect(printed).toBe("early\nlate\n");
  expect(stdin.write("too late")).toBe("closed");
});

test("H9 an open stdin keeps no child, and nothing is taken after its end", async () => {
  const stdin = new ChildInput();
  expect(await run("read -r line; echo $line", { stdin: stdinWith(stdin, "one\n") })).toMatchObject({
    stdout: "one\n",
  });
  expect(stdin.write("more")).toBe("closed");
});

test("H9 so much waits and no more, before the child began and after", async () => {
  const large = "x".repeat(maxWaitingBytes);
  const stdin = new ChildInput();
  expect([large, "x", "y"].map((text) => stdin.write(text))).toEqual([undefined, undefined, "full"]);
  const stream = new PassThrough();
  stdin.connect(stream);
  expect(stdin.write("z")).toBe("full");
  stream.resume();
  await until(() => stdin.write("z") === undefined);
});

test("H9 what was closed before the child began is closed for it, too", async () => {
  const stdin = stdinWith(new ChildInput(), "all");
  stdin.close();
  stdin.close();
  expect(await run(["cat"], { stdin })).toMatchObject({ code: 0, stdout: "all" });
});

function stdinWith(stdin: ChildInput, text: string): ChildInput {
  stdin.write(text);
  return stdin;
}
