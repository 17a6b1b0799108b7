import type { SecretRule } from "./rule.ts";

const label = String.raw`[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----`;
/** Anything up to the next line of five dashes. */
const inner = String.raw`(?:[^-]|-(?!----))`;
const base64 = "[A-Za-z0-9+/=]";
const lineBreak = String.raw`(?:\s|\\{1,4}[nrt])`;
const header = String.raw`(?:Proc-Type|DEK-Info|Version|Comment): [^\r\n\\]{0,200}`;
/** What may stand between two lines of base64: breaks (escaped ones too), quoting, line numbers, PEM headers. */
const between = String.raw`(?:[\s>|]|\\{1,4}[nrt]|\d{1,5}[\t→]|${header})`;

/**
 * A PEM block goes as a whole. Without its end it goes as far as lines of base64 do, with a last, shorter line. A
 * header that no key follows, as in code that looks for one, stays.
 */
export const privateKey: SecretRule = {
  id: "private-key",
  hints: ["-----BEGIN"],
  pattern: new RegExp(
    `-----BEGIN${label}(?:` +
      `(?=${inner}{0,1000}?[A-Za-z0-9+/]{16})${inner}{16,16000}-----END${label}` +
      `|(?:${between}{0,64}${base64}{16,8000}){1,400}(?:${lineBreak}{1,8}${base64}{1,15}(?=[\\r\\n\\\\"']|$))?` +
      ")",
  ),
};
