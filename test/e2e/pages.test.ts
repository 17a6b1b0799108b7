import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { expect, test } from "vitest";
import { Repo } from "../support/repo.ts";

function page(text: string): string {
  const body = text.replace(/^---\n[^]*?\n---\n/, "");
  return micromark(body, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true });
}

const harm =
  "# no\nTitle\n===\n---\n__init__ *x* ~~y~~\n- a\n1. b\n> c\n|d|\n|-|\n<b>&lt;</b> [e](f)\n[g]: h\nprefix_name";

test("S4 what an agent says can be no heading, list, table, link or HTML on a page, and comes back as it was said", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Pages of *any* kind <b>");
  const entries = [
    ...["text", "decision", "task_complete", "note"].map((kind) => ({ kind, text: harm })),
    { kind: "error", text: harm, resolution: harm },
    { kind: "user", text: harm, action: harm },
    { kind: "subagent", agent: "helper", mode: "inline", content: harm, summary: harm },
    { kind: "tool", name: "bash", args: harm, result: "__a__ <b>*x*</b> [y](z)\n# w", failed: false },
  ];
  await repo.log(id, { kind: "phase", title: "Look *here* <b>" }, ...entries);
  const html = page(repo.read(id));
  const tags = new Set(Array.from(html.matchAll(/<([a-z]+\d?)/g), ([, tag]) => tag));
  expect(tags).toEqual(new Set(["h1", "h2", "blockquote", "p", "br", "strong", "ul", "li", "code", "pre"]));
  expect(html.match(/<(?:strong|ul|h1|h2)>/g)).toHaveLength(4);
  expect(html).toContain(
    "<br />\n__init__ *x* ~~y~~<br />\n- a<br />\n1. b<br />\n&gt; c<br />\n|d|<br />\n|-|<br />\n",
  );
  expect(html).toContain("<li><code>bash</code> → __a__ &lt;b&gt;*x*&lt;/b&gt; [y](z)\\n# w");
  expect(repo.read(id)).toContain("> prefix_name\n");
  expect((await repo.show(id)).phases[0]!.entries).toEqual(entries);
});

test("S4 code that an agent shows stays code", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Code");
  const text = "Call `a_b_(*x)` so:\n```js\nconst a = `*b*`;\n# no heading\n```\nand <b>";
  await repo.log(id, { kind: "phase", title: "Work" }, { kind: "text", text });
  expect(repo.read(id)).toContain(
    "> Call `a_b_(*x)` so:  \n> ```js\n> const a = `*b*`;\n> # no heading\n> ```\n> and \\<b>\n",
  );
  expect((await repo.show(id)).phases[0]!.entries).toEqual([{ kind: "text", text }]);
});

test("S3 structured input of a tool is shown key by key, and comes back as the very same text", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Edits");
  const args = JSON.stringify({
    file_path: "src/a.ts",
    old_string: "one\n  two",
    new_string: "one\n",
    replace_all: true,
  });
  const call = { kind: "tool", name: "edit", args, result: "done", failed: false };
  await repo.log(id, { kind: "phase", title: "Work" }, call, { ...call, args: JSON.stringify({ limit: 5 }) });
  const [, list] = repo.read(id).split("**Tool calls:**\n");
  expect(list!.split("\n").slice(0, -1)).toEqual([
    "- `edit` → done",
    "  ```yaml",
    "  file_path: src/a.ts",
    "  old_string: |-",
    "    one",
    "      two",
    "  new_string: |",
    "    one",
    "  replace_all: true",
    "  ```",
    '- `edit {"limit":5}` → done',
  ]);
  expect((await repo.show(id)).phases[0]!.entries).toEqual([call, { ...call, args: '{"limit":5}' }]);
});
