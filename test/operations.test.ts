import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import type { CliContext } from "../src/cli/context.ts";
import { buildProgram } from "../src/cli/program.ts";
import { commonErrors, type Operation } from "../src/contract/api/operation.ts";
import { operations } from "../src/contract/api/table.ts";
import { ClewError, errorCodes } from "../src/contract/errors.ts";
import { askedOperations } from "./support/asked-operations.ts";
import { checkAnswer } from "./support/check-answer.ts";
import { commandOperations, localCommands, operationsOf, rawCommands } from "./support/command-operations.ts";

// The whole table of operations, walked: what every front end may rely on.

const all = Object.entries(operations).flatMap(([resource, table]) =>
  Object.entries(table as Record<string, Operation>).map(([name, operation]): [string, Operation] => [
    `${resource}.${name}`,
    operation,
  ]),
);

function sources(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("\n");
}

/** The paths of all commands that do something by themselves: `bead dep add`. */
async function allCommands(): Promise<string[]> {
  const program = await buildProgram({ program: { version: "0" } } as CliContext, ["completion"]);
  const leaves = (command: Command, path: string): string[] =>
    command.commands.length === 0
      ? [path]
      : command.commands.flatMap((child) => leaves(child, `${path} ${child.name()}`.trim()));
  return leaves(program, "");
}

describe("the table of operations", () => {
  const cli = sources(resolve(import.meta.dirname, "../src/cli"));
  const called = new Set(
    [...cli.matchAll(/\bapi\.(\w+)\.(\w+)\(/g)].map(([, resource, name]) => `${resource}.${name}`),
  );

  it.each(all)("%s is asked for by a command", (name) => expect(called).toContain(name));

  it("has all that commands ask for", () => {
    const known = new Set(all.map(([name]) => name));
    expect([...called].filter((name) => !known.has(name))).toEqual([]);
    expect([...new Set(Object.values(commandOperations).flat())].filter((name) => !known.has(name))).toEqual([]);
  });

  it("every command stands for operations, or is known to need none", async () => {
    const commands = await allCommands();
    const known = [...Object.keys(commandOperations), ...localCommands];
    // What is logged is one of many kinds, and all are one operation.
    expect(commands.filter((command) => !known.includes(command.replace(/^(session log) .*/, "$1")))).toEqual([]);
    // Those that have subcommands and do something by themselves.
    const groups = ["run", "ai", "work", "inbox", "session log", "daemon token"];
    const there = [...commands, ...groups];
    expect([...Object.keys(commandOperations), ...rawCommands].filter((command) => !there.includes(command))).toEqual(
      [],
    );
  });

  it("every command asks for the operations that it stands for, and for no others", async () => {
    const asked = askedOperations();
    // The same command as `search`.
    asked.set("session search", asked.get("search")!);
    const expected = Object.keys(commandOperations).map((command) => {
      const names = new Set<string>(operationsOf(command));
      // What is driven tells the same events.
      if (names.has("runs.drive")) names.delete("runs.events");
      return [command, [...names].sort()];
    });
    expect(expected.map(([command]) => [command, [...(asked.get(command as string) ?? [])].sort()])).toEqual(expected);
  });

  it.each(all)("%s is as its type says", (_, { about, errors, paged, streams, where, request, response }) => {
    expect(about).toMatch(/^[A-Z].*\.$/);
    expect(
      errors.filter((code) => !errorCodes.includes(code)),
      "unknown errors",
    ).toEqual([]);
    // What every operation may answer with need not be said again.
    expect(new Set([...errors, ...commonErrors]).size, "each error once").toBe(errors.length + commonErrors.length);
    const asked = fieldsOf(request);
    const isPaged = [asked.includes("limit") && asked.includes("after"), fieldsOf(response).includes("next")];
    expect(isPaged, "paging").toEqual(paged ? [true, true] : [false, false]);
    expect(request._zod.def.type, "one object is given").toBe("object");
    if (!streams) expect(["object", "record"], "one object is answered").toContain(response._zod.def.type);
    // What stays in its own process may be given what is no JSON, such as bytes.
    const unrepresentable = where === "local" ? "any" : "throw";
    z.toJSONSchema(request, { io: "input", unrepresentable });
    z.toJSONSchema(response, { io: "output" });
  });
});

/** The objects in a schema that let fields pass that they do not have, by their places. */
function openObjects(schema: z.ZodMiniType, place: string, seen = new Set<z.ZodMiniType>()): string[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const definition = schema._zod.def as unknown as Record<string, unknown> & { type: string };
  const isOpen = definition.type === "object" && (definition["catchall"] as z.ZodMiniType)?._zod.def.type !== "never";
  const inner = ["innerType", "element", "valueType", "left", "right"].flatMap((name) => definition[name] ?? []);
  const options = (definition["options"] ?? []) as z.ZodMiniType[];
  const fields = Object.entries((definition["shape"] ?? {}) as Record<string, z.ZodMiniType>);
  return [
    ...(isOpen ? [place] : []),
    ...[...(inner as z.ZodMiniType[]), ...options].flatMap((each) => openObjects(each, place, seen)),
    ...fields.flatMap(([name, each]) => openObjects(each, `${place}.${name}`, seen)),
  ];
}

it.each(all)("D4 %s takes no field that it does not know, at any depth", (name, { request }) => {
  expect(openObjects(request, name)).toEqual([]);
});

it("an answer with a field too many, too few or of another type is caught", async () => {
  const words = ["bead", "list", "--json"];
  const right = { beads: [{ id: "a", title: "A", odd: 1 }], unreadable: [], total: 1 };
  await checkAnswer(words, JSON.stringify(right), 0);
  const { total, ...short } = right;
  for (const wrong of [{ ...right, more: 1 }, short, { ...right, total: String(total) }])
    await expect(checkAnswer(words, JSON.stringify(wrong), 0)).rejects.toThrow("does not promise");
});

it("an error that no operation of the command declares is caught", async () => {
  const refusal = (code: string): string => JSON.stringify({ error: { code, message: "what", hint: "what to do" } });
  await checkAnswer(["bead", "show", "x", "--json"], refusal("unknown_bead"), 2);
  await checkAnswer(["bead", "show", "x", "--json"], refusal("locked"), 1);
  await expect(checkAnswer(["bead", "show", "x", "--json"], refusal("unknown_run"), 2)).rejects.toThrow(
    "does not promise",
  );
});

it.each(errorCodes)("the error %s has an exit code and an HTTP status", (code) => {
  const error = new ClewError(code, "what", "what to do");
  expect([1, 2, 3, 4, 130]).toContain(error.exitCode);
  expect(error.httpStatus).toBeGreaterThanOrEqual(400);
  expect(error.httpStatus).toBeLessThan(600);
});

function fieldsOf(schema: z.ZodMiniType): string[] {
  return schema instanceof z.ZodMiniObject ? Object.keys(schema.shape) : [];
}
