import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { expect, test } from "vitest";

// docs/ARCHITECTURE.md is the map: what it names is there, and what it says of the rooms is what the gate holds them to.

const map = readFileSync("docs/ARCHITECTURE.md", "utf8");

/** A part of the page: what stands below this heading, up to the next one. */
function section(title: string): string[] {
  const [, text] = map.split(`\n## ${title}\n`);
  return text!.split("\n## ")[0]!.split("\n");
}

/** All files and folders that the map may name; folders end with a slash. */
const paths = ["src", "test", "docs", "builtins", "scripts"].flatMap((top) =>
  readdirSync(top, { recursive: true, withFileTypes: true }).map(
    (each) => join(each.parentPath, each.name) + (each.isDirectory() ? "/" : ""),
  ),
);
const known = new Set(paths);

/** The path of what a name stands for, below `src/` or the root; of a name with `<name>` in it, one that fits. */
function pathOf(name: string): string | undefined {
  const candidates = [join("src", name), name];
  if (!name.includes("<")) return candidates.find((path) => known.has(path));
  const patterns = candidates.map((path) => path.replaceAll(".", "\\.").replaceAll(/<\w+>/g, "[^/]+"));
  const pattern = new RegExp(`^(?:${patterns.join("|")})$`);
  return paths.find((path) => pattern.test(path));
}

/** A file of code, or a path with a folder. */
const isName = /^[\w<>-][\w./<>-]*(?:\.(?:ts|mjs|cjs)|\/)$|^[\w<>-]+\/[\w./<>-]+\.\w+$/;

/**
 * What is wrong with the names in these lines: each stands for one file or folder, and what is in brackets behind it is in that file.
 * `folderOf` says where a name without a folder may stand, by the folders of the names before it.
 */
function resolve(lines: readonly string[], folderOf: (name: string, before: readonly string[]) => string[]): string[] {
  const folders: string[] = [];
  const problems: string[] = [];
  for (const line of lines)
    for (const [, name = "", part] of line.matchAll(/`([^`]+)`(?: \(`(#?\w+)`\))?/g)) {
      if (!isName.test(name)) continue;
      const places = name.includes("/") ? [""] : folderOf(name, folders);
      const found = places.flatMap((folder) => pathOf(folder + name) ?? []);
      const [path = ""] = found;
      if (found.length !== 1) problems.push(`${name} is ${found.length} files, in: ${line.slice(0, 80)}`);
      else folders.push(path.endsWith("/") ? path : path.slice(0, -basename(path).length));
      if (path !== "" && part && !readFileSync(path, "utf8").includes(part)) problems.push(`${name} has no ${part}`);
    }
  return problems;
}

test("every file that a table of the map names is there, below the folder that its row named last", () => {
  const rows = [...section("How do I add…"), ...section("Where is it decided…")].filter((line) =>
    line.startsWith("| "),
  );
  expect(rows.length).toBeGreaterThan(200);
  expect(rows.flatMap((row) => resolve([row], (_, before) => before.slice(-1)))).toEqual([]);
});

test("every file that a walk names is there, below the last folder or the only one of the walk that has it", () => {
  const walks = section("Fifteen walks").join("\n").split("\n**").slice(1);
  expect(walks).toHaveLength(15);
  const folderOf = (name: string, before: readonly string[]): string[] => {
    const last = before.slice(-1);
    return last.some((folder) => pathOf(folder + name)) ? last : [...new Set(before)];
  };
  expect(walks.flatMap((walk) => resolve(walk.split("\n"), folderOf))).toEqual([]);
});

test("every file that the rest of the map names is there", () => {
  const files = new Set(paths.map((path) => basename(path)));
  const rest = ["One table of operations", "On disk", "Invariants"].flatMap(section).join("\n");
  const names = [...rest.matchAll(/`((?:src|test|scripts)\/[\w./<>-]+|[\w-]+\.ts)`/g)].map(([, name = ""]) => name);
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => (name.includes("/") ? pathOf(name) === undefined : !files.has(name)))).toEqual([]);
});

interface RoomRule {
  name: string;
  comment: string;
}

test("the rooms may import what the gate lets them import", () => {
  const { forbidden } = createRequire(import.meta.url)("../.dependency-cruiser.cjs") as { forbidden: RoomRule[] };
  const allowed = new Map(
    forbidden.flatMap(({ comment }) => {
      const [, room, list] = /^src\/(\w+)\/ may import: (.*)\.$/.exec(comment) ?? [];
      return room && list ? [[room, list.split(", ").filter((each) => each !== "text")] as const] : [];
    }),
  );
  const documented = new Map<string, string[]>();
  for (const row of section("Rooms")) {
    const [, room, last = ""] = /^\| `src\/(\w+)\/.* \| ([^|]*) \|$/.exec(row) ?? [];
    if (!room) continue;
    const above = [...documented.keys()].filter((each) => each !== "text");
    const rest = [...allowed.keys()].filter((each) => each !== "text" && each !== room);
    documented.set(room, last === "the above" ? above : last === "all" ? rest : last.split(", ").filter(isRoom));
  }
  const byRoom = (rooms: ReadonlyMap<string, readonly string[]>): Record<string, string[]> =>
    Object.fromEntries([...rooms].map(([room, list]) => [room, list.toSorted()]));
  expect(byRoom(documented)).toEqual(byRoom(allowed));

  function isRoom(name: string): boolean {
    return name !== "text" && name !== "nothing";
  }
});

test("the rooms are those of src/, with the resources of app/ and the folders of adapters/", () => {
  const rows = section("Rooms");
  const foldersOf = (path: string): string[] =>
    readdirSync(path, { withFileTypes: true }).flatMap((each) => (each.isDirectory() ? [each.name] : []));
  const rooms = rows.flatMap((row) => /^\| `src\/(\w+)\//.exec(row)?.[1] ?? []);
  expect(rooms.toSorted()).toEqual(foldersOf("src").toSorted());
  const app = /: `([\w ]+)`/.exec(rows.find((row) => row.startsWith("| `src/app/"))!)?.[1] ?? "";
  expect(app.split(" ").toSorted()).toEqual(foldersOf("src/app").toSorted());
  const adapters = rows.find((row) => row.startsWith("| `src/adapters/`"))!;
  for (const folder of foldersOf("src/adapters")) expect(adapters).toContain(`\`${folder}/\``);
});
