import fc from "fast-check";
import { expect, test } from "vitest";
import { innocent } from "./fixtures/innocent.ts";
import { noise, planted } from "./fixtures/planted.ts";
import { createRedactor } from "./redactor.ts";

const numRuns = Number(process.env["CLEW_PROPERTY_RUNS"] ?? 2000);

const values = [
  `a"b\\c\nd${noise(9)}`,
  `🧵漢字${noise(7)}🧵`,
  `tab\there ${noise(8)}`,
  `x/y<z>&${noise(6)}`,
  `é${"🧵".repeat(5000)}`,
];
const redactor = createRedactor({ env: { SOME_TOKEN: `p/w@1 "${noise(5)}` }, extraValues: values });

const encoded = (text: string): Buffer => Buffer.from(JSON.stringify(text).slice(1, -1));

/** What redacts a text by way of its JSON must be what redacts the text. */
function expectSame(text: string): void {
  const json = redactor.redactEncoded(encoded(text));
  if (json !== undefined) expect(redactor.redact(text)).toBe(text);
}

test.each(planted)("D7 $id is seen in JSON that is not decoded", ({ text }) => {
  expect(redactor.redactEncoded(encoded(text))).toBeUndefined();
  expect(redactor.redactEncoded(encoded(`${"plain words ".repeat(500)}${text}`))).toBeUndefined();
});

test("D7 values of the environment and others are seen, whatever signs they have", () => {
  for (const value of [...values, `p/w@1 "${noise(5)}`]) {
    expect(redactor.redactEncoded(encoded(`so: ${value}.`))).toBeUndefined();
    expect(redactor.redactEncoded(encoded(JSON.stringify({ value })))).toBeUndefined();
  }
});

test("D7 a text that is taken as it is holds nothing that the redactor would replace", () => {
  const secrets = planted.flatMap(({ text, secret }) => [
    text,
    secret,
    secret.slice(0, 12),
    secret.slice(3),
    text.toUpperCase(),
  ]);
  const piece = fc.oneof(
    fc.constantFrom(...secrets, ...innocent, ...values, ...values.map((value) => value.slice(0, -2))),
    fc.string({ unit: "grapheme", maxLength: 12 }),
    fc.constantFrom("\n", '"', "\\", "/", "\t", " ", "=", ": ", "key", "Token", "\\n", '\\"'),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), fc.boolean(), (pieces, isNested) => {
      const text = pieces.join("").toWellFormed();
      expectSame(isNested ? JSON.stringify({ output: text }) : text);
    }),
    { numRuns },
  );
});

test("D7 the filter lets plain text pass", () => {
  for (const text of ["", "a", "ab", "The quick brown fox jumps over the lazy dog.\n", '     1→const a = b("c");\n'])
    expect(redactor.redactEncoded(encoded(text))?.toString()).toBe(encoded(text).toString());
});

test("D7 a value of which no part can be looked for lets nothing pass", () => {
  const broken = createRedactor({ extraValues: ["a\ud83db\ud83dc"] });
  expect(broken.redactEncoded(encoded("plain"))).toBeUndefined();
});
