import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { grimoireJsonSchema } from "./json-schema.ts";
import { readGrimoire } from "./read-grimoire.ts";

interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  oneOf?: Schema[];
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  propertyNames?: Schema;
  additionalProperties?: Schema | false;
  description?: string;
}

const schema = grimoireJsonSchema() as Schema;

/** Whether a value fits, by those rules of JSON Schema that the grimoire's uses. */
function accepts(rule: Schema, value: unknown): boolean {
  if (rule.$ref !== undefined) return accepts(schema.$defs![rule.$ref.split("/").at(-1)!]!, value);
  if (rule.oneOf && rule.oneOf.filter((each) => accepts(each, value)).length !== 1) return false;
  if (rule.type !== undefined && ![rule.type].flat().some((type) => isOfType(type, value))) return false;
  if (rule.const !== undefined && value !== rule.const) return false;
  if (rule.enum && !rule.enum.includes(value)) return false;
  if (typeof value === "string") return rule.pattern === undefined || new RegExp(rule.pattern, "u").test(value);
  if (typeof value === "number") return value >= (rule.minimum ?? value) && value <= (rule.maximum ?? value);
  if (Array.isArray(value)) {
    return value.length >= (rule.minItems ?? 0) && value.every((item) => accepts(rule.items ?? {}, item));
  }
  if (typeof value !== "object" || value === null) return true;
  if (!(rule.required ?? []).every((key) => key in value)) return false;
  return Object.entries(value).every(([key, inner]) => {
    if (rule.propertyNames && !accepts(rule.propertyNames, key)) return false;
    const inside = rule.properties?.[key] ?? rule.additionalProperties ?? {};
    return inside !== false && accepts(inside, inner);
  });
}

function isOfType(type: string, value: unknown): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "array") return Array.isArray(value);
  if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
  return typeof value === type;
}

const root = new URL("../../../", import.meta.url);
const page = readFileSync(new URL("docs/formats/grimoire.md", root), "utf8");
const examples = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map((match) => match[1]!);
const builtIns = readdirSync(new URL("builtins/grimoires", root)).map((name) =>
  readFileSync(new URL(`builtins/grimoires/${name}`, root), "utf8"),
);

test("G1 the committed JSON Schema is the one that the program prints", () => {
  expect(JSON.parse(readFileSync(new URL("docs/formats/grimoire.schema.json", root), "utf8"))).toEqual(schema);
});

test("G1 every field is described, for editors and on the format's page", () => {
  const objects = [schema, ...schema.$defs!["step"]!.oneOf!];
  expect(objects).toHaveLength(5);
  for (const { properties, additionalProperties } of objects) {
    expect(additionalProperties).toBe(false);
    for (const [key, { description }] of Object.entries(properties!)) {
      expect(description).toMatch(/\.$/);
      expect(page).toContain(`\`${key}\``);
    }
  }
});

test("G1 the examples of the page and the built-in grimoires fit the reader and the schema", () => {
  expect(examples.length).toBeGreaterThan(0);
  expect(builtIns.length).toBeGreaterThan(0);
  for (const text of [...examples, ...builtIns]) {
    expect(readGrimoire(text, "a.yaml").problems).toEqual([]);
    expect(accepts(schema, parse(text))).toBe(true);
  }
});

test.each([
  "type: merge, extra: 1",
  "type: merge, timeout: one",
  "type: merge, strategy: rebase",
  "type: merge, on_changes: block",
  "type: script, command: x, timeout: 10",
  "type: script, command: x, timeout: ten",
  "type: script, command: ' '",
  "type: script, command: x, shell: zsh",
  "type: agent",
  "type: agent, spell: x, on_fail: stop",
  "type: agent, spell: x, input: {a-b: 1}",
  "type: loop, steps: []",
  "type: loop, max_iterations: 0, steps: [{name: m, type: merge}]",
  "type: wait",
])("G1 the reader and the schema both refuse a step of {%s}", (fields) => {
  const text = `name: a\ndescription: b\nsteps: [{name: s, ${fields}}]\n`;
  expect(readGrimoire(text, "a.yaml").grimoire).toBeUndefined();
  expect(accepts(schema, parse(text))).toBe(false);
});
