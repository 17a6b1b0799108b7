import type { RenderBudget } from "./budget.ts";
import { sortedKeys } from "./format/printer.ts";
import { EvaluationError } from "./template-error.ts";
import type { Data, Unknown } from "./unknown.ts";
import { isBrokenByte, joinTexts } from "./utf8.ts";
import { entryOf, floatOf, integerOf, kindOf, load, type Byte, type DataMap, type Float, type Plain } from "./value.ts";

/** JSON as Go's encoding/json writes it, without its escapes for HTML: compact, keys sorted by bytes. */
export function jsonText(value: Plain, budget: RenderBudget): string {
  const parts: string[] = [];
  let length = 0;
  const write = (text: string): void => {
    length += text.length;
    budget.chargeOutput(text.length, length);
    parts.push(text);
  };
  writeJson(value, 0);
  return joinTexts(parts);

  function writeJson(item: Plain, depth: number): void {
    budget.spend(1);
    const kind = kindOf(item);
    if (kind === "list") writeList(item as Data[], depth);
    else if (kind === "map") writeMap(item as DataMap, depth);
    else write(scalarText(item));
  }

  function writeList(list: readonly Data[], depth: number): void {
    budget.checkDataDepth(depth);
    write("[");
    for (const [at, item] of list.entries()) {
      if (at > 0) write(",");
      writeJson(load(item), depth + 1);
    }
    write("]");
  }

  function writeMap(map: DataMap, depth: number): void {
    budget.checkDataDepth(depth);
    write("{");
    for (const [at, key] of sortedKeys(map, budget).entries()) {
      write(`${at > 0 ? "," : ""}${stringText(load(key) as string)}:`);
      writeJson(entryOf(map, key), depth + 1);
    }
    write("}");
  }
}

function scalarText(value: Plain): string {
  switch (kindOf(value)) {
    case "nil":
      return "null";
    case "string":
      return stringText(value as string);
    case "int":
    case "uint8":
      return String(integerOf(value as number | bigint | Byte));
    case "float": {
      const float = floatOf(value as number | Float);
      return Object.is(float, -0) ? "-0" : String(float);
    }
    case "unknown":
      return stringText((value as Unknown).placeholder);
    case "complex":
      throw new EvaluationError("JSON has no complex numbers");
    default:
      return value === true ? "true" : "false";
  }
}

const special = /["\\\u0000-\u001f\u2028\u2029\ud800-\udfff]/u;
const shortEscapes: Record<string, string> = { '"': '"', "\\": "\\", "\n": "n", "\r": "r", "\t": "t" };

function stringText(text: string): string {
  return special.test(text) ? `"${text.replace(new RegExp(special, "gu"), escapeCharacter)}"` : `"${text}"`;
}

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0)!;
  if (isBrokenByte(code)) return "\\ufffd";
  return `\\${shortEscapes[character] ?? `u${code.toString(16).padStart(4, "0")}`}`;
}
