import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cascade, type ContextLevel } from "./cascade.ts";
import { pathRefusal, readContextList } from "./context-list.ts";
import { globMatcher } from "./glob.ts";

const files = ["README.md", "src/a.ts", "src/a.test.ts", "src/deep/b.ts", "docs/x.md", ".env.sample", "a{b.txt"];

function resolved(lists: Partial<Record<ContextLevel, string>>): { paths: string[]; removed: string[] } {
  const levels = Object.entries(lists).map(([level, text]) => ({
    level: level as ContextLevel,
    lines: readContextList(text),
  }));
  const { entries, removed } = cascade(levels, () => files);
  return {
    paths: entries.map(({ path, level }) => `${level} ${path}`),
    removed: removed.map(({ path, level, by }) => `${level} ${path} by ${by}`),
  };
}

describe("T2 the context cascade", () => {
  test("T2 levels follow each other, comments and blanks do not count, each path stands once where it was named first", () => {
    expect(
      resolved({
        global: "# always\nREADME.md\n\n./docs//x.md\n",
        session: "src/a.ts\r\nREADME.md\n",
        vault: "/src/gone.ts\nsrc/a.ts",
      }),
    ).toEqual({
      paths: ["global README.md", "global docs/x.md", "session src/a.ts", "vault src/gone.ts"],
      removed: [],
    });
  });

  test("T2 a line with ! takes out what stands above it, and says so; a later line brings it back", () => {
    expect(resolved({ global: "README.md\ndocs/x.md", session: "src/**\n!**/*.test.ts\n!README.md" })).toEqual({
      paths: ["global docs/x.md", "session src/a.ts", "session src/deep/b.ts"],
      removed: ["session src/a.test.ts by !**/*.test.ts (session)", "global README.md by !README.md (session)"],
    });
    expect(resolved({ global: "README.md\n!README.md", vault: "README.md" })).toEqual({
      paths: ["vault README.md"],
      removed: [],
    });
  });

  test("T2 the files of the folders that patterns name are enough", () => {
    const part = fc.constantFrom("src", "deep", "*", "**", "{src,docs}", "{src/deep,b}", "?.ts", "*.ts", "a", "b.ts");
    const pattern = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
    const isIn = (folder: string, path: string): boolean =>
      folder === "" || path === folder || path.startsWith(`${folder}/`);
    const property = fc.property(fc.array(pattern, { minLength: 1, maxLength: 4 }), (patterns) => {
      const levels = [{ level: "global" as const, lines: readContextList(patterns.join("\n")) }];
      const few = cascade(levels, (folders) => files.filter((path) => folders.some((folder) => isIn(folder, path))));
      expect(few).toEqual(cascade(levels, () => files));
    });
    fc.assert(property, { numRuns: 1000 });
  });

  test("T2 patterns are matched against files, in their order", () => {
    const matching = (pattern: string): string[] => files.filter(globMatcher(pattern));
    expect(matching("**/*.ts")).toEqual(["src/a.ts", "src/a.test.ts", "src/deep/b.ts"]);
    expect(matching("src/*.ts")).toEqual(["src/a.ts", "src/a.test.ts"]);
    expect(matching("src/?.ts")).toEqual(["src/a.ts"]);
    expect(matching("{README,docs/x}.md")).toEqual(["README.md", "docs/x.md"]);
    expect(matching("src/{a,deep/{b,c}}.ts")).toEqual(["src/a.ts", "src/deep/b.ts"]);
    expect(matching("*")).toEqual(["README.md", ".env.sample", "a{b.txt"]);
    expect(matching("a{b*")).toEqual(["a{b.txt"]);
    expect(resolved({ session: "src/\n\\!odd\n\\#odd" }).paths).toEqual([
      "session src/a.ts",
      "session src/a.test.ts",
      "session src/deep/b.ts",
      "session !odd",
      "session #odd",
    ]);
  });

  test("no list of patterns takes long", () => {
    const pattern = `${"**/*a*".repeat(400)}${"{a,b}".repeat(60)}`;
    const path = `${"aaaa/".repeat(700)}b`;
    expect(globMatcher(pattern)(path)).toBe(false);
    expect(globMatcher("*a".repeat(200))("a".repeat(4000) + "b")).toBe(false);
  });

  test("braces take time linear in their number, whether or not they end", () => {
    for (const braces of ["{", "{a,", "{}", "}{"])
      expect([braces, globMatcher(`${braces.repeat(300_000)}x`)("b")]).toEqual([braces, false]);
    expect(globMatcher(`${"{".repeat(300_000)}{a,b}`)(`${"{".repeat(300_000)}b`)).toBe(true);
  });

  test("T2 a pattern of plain names matches itself alone", () => {
    const name = fc.stringMatching(/^[a-z.]{1,4}$/);
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
    fc.assert(
      fc.property(path, path, (a, b) => {
        expect(globMatcher(a)(b)).toBe(a === b);
        expect(globMatcher("**")(a)).toBe(true);
        expect(globMatcher(`**/${a}`)(`${b}/${a}`)).toBe(true);
        expect(globMatcher(`${a}/**/${b}`)(`${a}/x/y/${b}`)).toBe(true);
      }),
    );
  });

  test("T2 what leads out, or into git's folder, is refused by its name", () => {
    expect(
      ["../a", "a/../../b", ".git/config", "sub/.GIT/hooks/x"].map((path) => pathRefusal(path) === undefined),
    ).toEqual([false, false, false, false]);
    expect(pathRefusal("a/b..c/.gitignore")).toBe(undefined);
  });
});
