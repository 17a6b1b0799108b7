import { expect, test } from "vitest";
import { write } from "../support/grimoires.ts";
import { Repo } from "../support/repo.ts";

/** Renders a text over data and returns what stands on stdout, byte for byte. */
async function rendered(repo: Repo, text: string, data: unknown = {}): Promise<string> {
  write(repo, "t.md", text);
  write(repo, "data.json", JSON.stringify(data));
  const { code, stdout, stderr } = await repo.run(["spell", "render", "t.md", "--context", "data.json"]);
  if (code !== 0) throw new Error(stderr);
  return stdout;
}

async function refusal(repo: Repo, text: string, data: unknown = {}): Promise<string> {
  write(repo, "t.md", text);
  write(repo, "data.json", JSON.stringify(data));
  return (await repo.refused(["spell", "render", "t.md", "--context", "data.json"])).message;
}

test("G4 spell render prints what Go would, and not a byte more", async () => {
  using repo = new Repo();
  const data = { bead: { id: "p-1", title: "Fix <it>", n: 3, f: 0.5, list: ["a", "b"], map: { k: "v" }, no: null } };
  expect(await rendered(repo, "{{.bead.title}} {{.bead.n}} {{.bead.f}}", data)).toBe("Fix <it> 3 0.5");
  expect(await rendered(repo, "{{.bead.list}} {{.bead.map}}|{{.bead.no}}|{{.bead.gone}}|", data)).toBe(
    '["a","b"] {"k":"v"}|||',
  );
  expect(await rendered(repo, '{{print .bead.list}} {{printf "%03d %q" .bead.n .bead.id}}', data)).toBe(
    '[a b] 003 "p-1"',
  );
  expect(await rendered(repo, "{{range $i, $e := .bead.list}}{{$i}}{{$e}};{{else}}none{{end}}\n", data)).toBe(
    "0a;1b;\n",
  );
  expect(await rendered(repo, "a  {{- /* gone */ -}}  b", data)).toBe("ab");
});

test("G4 nothing of JavaScript's own can be reached", async () => {
  using repo = new Repo();
  const text = '{{.constructor}}|{{.__proto__}}|{{.bead.toString}}|{{index . "hasOwnProperty"}}|';
  expect(await rendered(repo, text, { bead: {} })).toBe("||||");
});

test("G4 a bad template is refused with line and column", async () => {
  using repo = new Repo();
  expect(await refusal(repo, "one\ntwo {{.x | | .y}}\n")).toMatch(/^t\.md:2:\d+: /);
  expect(await refusal(repo, "{{if .x}}never closed")).toMatch(/^t\.md:1:\d+: /);
  expect(await refusal(repo, "{{index .list 9}}", { list: [1] })).toMatch(/^t\.md:1:\d+: /);
  expect(await refusal(repo, "{{nofunc .x}}")).toContain("nofunc");
});

test("G4 a template that would never end is stopped", async () => {
  using repo = new Repo();
  expect(await refusal(repo, '{{define "t"}}{{template "t" .}}{{end}}{{template "t" .}}')).toMatch(/^t\.md:1:/);
  const list = Array.from({ length: 2000 }, (_, at) => at);
  const text = "{{range .l}}{{range $.l}}{{range $.l}}{{range $.l}}x{{end}}{{end}}{{end}}{{end}}";
  expect(await refusal(repo, text, { l: list })).toMatch(/^t\.md:1:/);
});

test("G5 spells come from .clew/spells/ over built-in ones, by name", async () => {
  using repo = new Repo();
  const builtIn = await repo.json<{ origin: string }>("spell", "render", "review");
  expect(builtIn.origin).toBe("built-in");
  write(repo, ".clew/spells/review.md", "Ours.\n");
  expect(await repo.json("spell", "render", "review")).toMatchObject({ origin: "repository", text: "Ours.\n" });
  expect((await repo.refused(["spell", "render", "reveiw"])).hint).toBe("did you mean review?");
});

test("G5 partials get literal variables, context variables and the seed's nested braces", async () => {
  using repo = new Repo();
  write(repo, ".clew/spells/greet.md", "Hello {{.name}} ({{.title}})");
  const data = { bead: { title: "T {{.x}}" } };
  const forms = [
    '{{include "greet.md" name="value" title=.bead.title}}',
    '{{include "greet.md" name="value" title={{.bead.title}}}}',
    '{{ include "greet" title=(printf "%s" .bead.title) name="value" }}',
    '{{include "greet.md" name={{"value"}} title={{ .bead.title }} }}',
  ];
  for (const form of forms) expect(await rendered(repo, `[${form}]`, data)).toBe("[Hello value (T {{.x}})]");
});

test("G5 a partial sees the spell's own variables too, and what is given goes before them", async () => {
  using repo = new Repo();
  write(repo, ".clew/spells/p.md", "{{.a}}{{.b}}");
  expect(await rendered(repo, '{{include "p.md" b=9}}{{.b}}', { a: 1, b: 2 })).toBe("192");
  expect(
    await rendered(repo, '{{range .l}}{{include "p.md" .}}{{end}}', {
      l: [
        { a: 1, b: 2 },
        { a: 3, b: 4 },
      ],
    }),
  ).toBe("1234");
});

test("G5 five levels of partials are fine, six are not, and circles are refused", async () => {
  using repo = new Repo();
  for (let level = 1; level <= 6; level++) {
    write(repo, `.clew/spells/p${level}.md`, level === 6 ? "end" : `${level}{{include "p${level + 1}.md"}}`);
  }
  expect(await rendered(repo, '{{include "p2.md"}}')).toBe("2345end");
  expect(await refusal(repo, '{{include "p1.md"}}')).toMatch(/^\.clew\/spells\/p5\.md:1:\d+: .*5 deep/);
  write(repo, ".clew/spells/a.md", '{{include "b.md"}}');
  write(repo, ".clew/spells/b.md", '\n{{include "a.md"}}');
  expect(await refusal(repo, '{{include "a.md"}}')).toMatch(
    /^\.clew\/spells\/b\.md:2:\d+: .*a\.md → \.clew\/spells\/b\.md → \.clew\/spells\/a\.md/,
  );
});

test("G5 a missing partial is refused with a suggestion; names cannot leave the spells' folder", async () => {
  using repo = new Repo();
  write(repo, ".clew/spells/footer.md", "x");
  write(repo, "secret.md", "secret");
  expect(await refusal(repo, '{{include "foter.md"}}')).toContain('did you mean "footer.md"?');
  for (const name of ["../../secret.md", "/etc/hostname", "./footer.md", "..", "a/../footer.md", ""]) {
    expect(await refusal(repo, `{{include ${JSON.stringify(name)}}}`)).toContain("there is no partial");
  }
});

test("G5 data is never read as a template", async () => {
  using repo = new Repo();
  write(repo, ".clew/spells/p.md", "<{{.v}}>");
  expect(await rendered(repo, '{{.v}}{{include "p.md"}}', { v: "{{.secret}}", secret: "s" })).toBe(
    "{{.secret}}<{{.secret}}>",
  );
});

test("G4 context comes from a file or stdin, --var goes over it, and bad JSON is refused", async () => {
  using repo = new Repo();
  write(repo, "t.md", "{{.a}}-{{.b}}");
  const piped = await repo.run(["spell", "render", "t.md", "--context", "-", "--var", "b=[1]"], {
    input: '{"a": 1, "b": 2}',
  });
  expect(piped.stdout).toBe("1-[1]");
  expect((await repo.run(["spell", "render", "t.md", "--context", "-"], { input: "{" })).code).toBe(2);
  write(repo, "data.json", "[1,");
  expect((await repo.refused(["spell", "render", "t.md", "--context", "data.json"])).message).toContain(
    "data.json is not JSON",
  );
  expect((await repo.refused(["spell", "render", "none.md"])).code).toBe("unknown_spell");
});

test("G4 a file can be rendered outside any repository", async () => {
  using repo = new Repo();
  write(repo, "t.md", "{{len .list}}");
  const { stdout } = await repo.run(["spell", "render", `${repo.root}/t.md`, "--context", "-"], {
    cwd: "/",
    input: '{"list": [1,2]}',
  });
  expect(stdout).toBe("2");
});
