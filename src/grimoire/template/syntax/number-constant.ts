import { Complex, floatValue, intValue, type Plain } from "../value.ts";
import { parseFloat64, parseInt64, parseUint } from "./parse-number.ts";
import { unquoteRune } from "./unquote.ts";

/** What a number token stands for: `value` is undefined when it fits no int. */
type NumberConstant = { value: Plain | undefined };

/** Reads a number token; a text says why it is none. */
export function numberConstant(text: string, kind: "char-constant" | "complex" | "number"): NumberConstant | string {
  if (kind === "char-constant") {
    const code = unquoteRune(text);
    return code === undefined ? `malformed character constant: ${text}` : { value: code };
  }
  const value = kind === "complex" ? complexPair(text) : imaginary(text);
  if (value !== undefined) return { value };
  return kind === "complex" ? `illegal complex number: ${text}` : realNumber(text);
}

function imaginary(text: string): Complex | undefined {
  const value = text.endsWith("i") ? parseFloat64(text.slice(0, -1)) : undefined;
  return value === undefined ? undefined : new Complex(0, value);
}

const floatForm =
  "(?:0[xX][0-9a-fA-F_]*(?:\\.[0-9a-fA-F_]*)?(?:[pP][+-]?[0-9_]*)?|[0-9_]*(?:\\.[0-9_]*)?(?:[eE][+-]?[0-9_]*)?)";
const complexForm = new RegExp(`^([+-]?${floatForm})([+-]${floatForm})i$`);

function complexPair(text: string): Complex | undefined {
  const [, first, second] = complexForm.exec(text) ?? [];
  if (first === undefined || second === undefined) return undefined;
  const [real, imaginaryPart] = [parseFloat64(first), parseFloat64(second)];
  return real === undefined || imaginaryPart === undefined ? undefined : new Complex(real, imaginaryPart);
}

/** Go decides by the spelling whether a constant is a float, and -0x1e counts as one because it has an e. */
function realNumber(text: string): NumberConstant | string {
  const int = parseInt64(text);
  const looksFloat = /[.eEpP]/.test(text) && !/^0[xX][^pP]+$/.test(text);
  if (int !== undefined) return { value: looksFloat ? floatValue(Number(int)) : intValue(int) };
  const uint = parseUint(text);
  if (uint !== undefined) return { value: looksFloat ? floatValue(Number(uint)) : undefined };
  const float = parseFloat64(text);
  if (float === undefined) return `illegal number syntax: ${text}`;
  return looksFloat ? { value: floatValue(float) } : `integer overflow: ${text}`;
}
