import fc from "fast-check";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { expect, test } from "vitest";
import { entryText } from "./entry-text.ts";
import type { Item } from "./items.ts";
import { body, item, title } from "../../test/support/session-items.ts";
import { codeLines } from "./markdown/code-blocks.ts";
import { fenceMark } from "../text/fence.ts";
import { renderItem, renderItems } from "./render.ts";

/** session.md as a page shows it: a renderer that follows the specification of GitHub's markdown is the judge. */
function page(text: string): string {
  return micromark(text, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true });
}

const numRuns = Number(process.env["CLEW_PROPERTY_RUNS"] ?? 300);

/** What an entry's own markup makes of a page; data adds text, breaks and code, and links where a URL stands bare. */
const frames: Partial<Record<Item["kind"], RegExp>> = {
  tool: /^<p><strong>Tool calls:<\/strong><\/p>\n<ul>\n<li><code>[^]*<\/li>\n<\/ul>\n?$/,
  phase: /^<h2>[^\n]*<\/h2>\n(?:<!--.*-->\n?)?$/s,
  tokens: /^<!--.*-->\n?$/s,
  tasks: /^<pre><code class="language-tasks">[^<]*<\/code><\/pre>\n?$/,
  title: /^<h1>.*<\/h1>\n?$/s,
  note: /^(?:<p>|<pre>)[^]*$/,
};
const callout = /^<blockquote>\n<p>\[![^]*\n<\/blockquote>\n?$/;
const frameTags: Partial<Record<Item["kind"], string[]>> = {
  tool: ["strong", "ul", "li"],
  phase: ["h2"],
  title: ["h1"],
};

function tagsOf(html: string): string[] {
  return Array.from(html.replace(/<!--.*?-->/gs, "").matchAll(/<([a-z]+\d?)/g), (match) => match[1]!);
}

/** The letters of a page, without white space and without the marks of code. */
function lettersOf(text: string): string {
  return text.replace(/[\s`~\u0085\u200b]+/gu, "").replaceAll("\ufffd", "");
}

function decoded(html: string): string {
  return html
    .replace(/<!--.*?-->/gs, "")
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}

/** The words behind a fence's mark name a language and are not shown. */
function shown(text: string): string {
  const lines = text.split("\n");
  const candidates = [0, 2].map((column) => codeLines(lines, { column, continues: true, isInline: false }));
  const isMark = (at: number): boolean => candidates.some((code) => code?.[at]) && fenceMark(lines[at]!) !== undefined;
  return lines.filter((_, at) => !isMark(at)).join("\n");
}

function expectOnlyText(each: Item, html: string): void {
  expect(html).toMatch(frames[each.kind] ?? callout);
  const own = frameTags[each.kind] ?? (frames[each.kind] ? [] : ["blockquote"]);
  for (const tag of own) expect(tagsOf(html).filter((other) => other === tag)).toHaveLength(1);
  const allowed = [...own, "p", "br", "code", "pre", "a"];
  expect(tagsOf(html).filter((tag) => !allowed.includes(tag))).toEqual([]);
  // A page makes links of addresses that stand bare; what is shown is where they lead.
  for (const [, href, text] of html.matchAll(/<a href="([^"]*)">([^<]*)<\/a>/g)) {
    expect(href!.replace(/^(?:mailto:|https?:\/\/)/, "").slice(0, 3)).toBe(
      text!.replace(/^https?:\/\//, "").slice(0, 3),
    );
  }
}

test("S3 S4 no text of an entry becomes markup on a page", () => {
  fc.assert(
    fc.property(item, (each) => expectOnlyText(each, page(renderItem(each, "other")))),
    { numRuns },
  );
});

test("S2 no title becomes markup on a page", () => {
  fc.assert(
    fc.property(title, (text) =>
      expectOnlyText({ kind: "title", text }, page(renderItem({ kind: "title", text }, "other"))),
    ),
    { numRuns },
  );
});

test("S3 S4 a page shows the letters that were logged", () => {
  fc.assert(
    fc.property(item, (each) => {
      fc.pre(each.kind !== "tasks" && each.kind !== "tokens");
      const letters = lettersOf(decoded(page(renderItem(each, "other"))));
      if (each.kind === "tool") {
        expect(letters).toContain(lettersOf(each.name));
        if (!/\r|^\{/.test(each.args)) expect(letters).toContain(lettersOf(each.args));
        const result = (each.result ?? "").replaceAll("\n", "\\n").replaceAll("\r", "\\r");
        expect(letters).toContain(lettersOf(result));
        return;
      }
      const text = each.kind === "phase" ? each.title : shown(entryText(each));
      for (const line of text.split("\n")) expect(letters).toContain(lettersOf(line));
    }),
    { numRuns },
  );
});

test("S3 S4 lines break on a page as they do in an editor", () => {
  const text = "one\ntwo\n\nthree\n    four\n```\ncode\n```\nfive";
  expect(page(renderItem({ kind: "text", text }, "other"))).toBe(
    "<blockquote>\n<p>[!agent]\none<br />\ntwo</p>\n<p>three<br />\nfour</p>\n<pre><code>code\n</code></pre>\n<p>five</p>\n</blockquote>\n",
  );
});

test("S3 S4 a URL in angle brackets is shown as it was logged, and leads nowhere else", () => {
  expect(page(renderItem({ kind: "decision", text: "See <https://x.y> or https://x.y now" }, "other"))).toBe(
    '<blockquote>\n<p>[!decision]\nSee &lt;https://x.y&gt; or <a href="https://x.y">https://x.y</a> now</p>\n</blockquote>\n',
  );
});

test("S2 signs in an agent's name end nothing that a title began", () => {
  const phase: Item = { kind: "phase", title: "***\u000e", agent: "**" };
  expect(page(renderItem(phase, "other"))).toBe("<h2>***\u000e @**</h2>\n");
});

test("S2 S3 S4 a whole session has the headings, lists and quotes of its entries and no more", () => {
  fc.assert(
    fc.property(body, (items) => {
      const tags = tagsOf(page(renderItems(items)));
      const count = (tag: string): number => tags.filter((each) => each === tag).length;
      const kinds = (isMeant: (each: Item) => boolean): number => items.filter(isMeant).length;
      expect([count("h1"), count("h2"), count("li")]).toEqual([
        1,
        kinds(({ kind }) => kind === "phase"),
        kinds(({ kind }) => kind === "tool"),
      ]);
      const plain: Item["kind"][] = ["tool", "phase", "title", "note", "tokens", "tasks"];
      expect(count("blockquote")).toBe(kinds(({ kind }) => !plain.includes(kind)));
      for (const tag of ["h3", "h4", "h5", "h6", "em", "del", "table", "ol", "hr", "img"]) expect(count(tag)).toBe(0);
    }),
    { numRuns: numRuns / 5 },
  );
});
