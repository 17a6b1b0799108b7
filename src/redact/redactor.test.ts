import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createFinder, startPass } from "./finder.ts";
import { innocent } from "./fixtures/innocent.ts";
import { noise, pem, planted } from "./fixtures/planted.ts";
import { createRedactor } from "./redactor.ts";
import { rules } from "./rules.ts";

const redactor = createRedactor({});
const github = `ghp_${noise(36)}`;
const google = `AIza${noise(35)}`;

describe("D7 planted secrets", () => {
  test.each(planted)("D7 $id in its text", ({ id, text, secret }) => {
    expect(redactor.redact(text)).toBe(text.replace(secret, () => `[redacted:${id}]`));
  });

  test("D7 every rule of the table has a planted secret that it finds alone", () => {
    const unproven = rules.filter((rule) => {
      const find = createFinder([rule]);
      return !planted.some(({ text }) => find(text, 0, text.length, startPass()).length > 0);
    });
    expect(unproven.map(({ id, hints }) => `${id} ${hints[0]}`)).toEqual([]);
  });

  test.each(planted)(
    "D7 $id inside JSON, inside JSON in JSON, after colours: nothing stays, JSON stays valid",
    (one) => {
      const own = one.text.replace(/^before /, "");
      const once = JSON.stringify({ output: `first line\n${own}\nlast line` });
      const twice = JSON.stringify({ event: once });
      const coloured = JSON.stringify(`\u001b[32m${own}\u001b[0m`);
      for (const text of [once, twice, coloured]) {
        const redacted = redactor.redact(text);
        expect(redacted).toContain("[redacted:");
        for (const piece of one.secret.match(/[A-Za-z0-9]{12,}/g) ?? []) expect(redacted).not.toContain(piece);
        expect(() => JSON.parse(redacted) as unknown).not.toThrow();
      }
    },
  );
});

describe("D7 innocent text", () => {
  test.each(innocent)("D7 stays: %s", (text) => {
    expect(redactor.redact(text)).toBe(text);
    expect(redactor.redact(JSON.stringify({ text }))).toBe(JSON.stringify({ text }));
  });

  test("D7 the rules' own marks, whatever stands behind them, are left alone", () => {
    for (const { id } of rules) {
      for (const after of ["", "=", ": ", '": "']) {
        const text = `password=[redacted:${id}]${after}x9y8z7w6v5`;
        expect(redactor.redact(text)).toBe(text);
      }
    }
  });
});

describe("D7 the redactor", () => {
  test("D7 finds all secrets on the original text and replaces what overlaps once", () => {
    const text = `a ${github} b token=${github} c https://me:${github}@host ${pem(400)} ${google}${github}`;
    expect(redactor.redact(text)).toBe(
      "a [redacted:github-token] b token=[redacted:github-token] c https://me:[redacted:github-token]@host " +
        "[redacted:private-key] [redacted:google-api-key][redacted:github-token]",
    );
  });

  test("D7 finds secrets between wide characters", () => {
    expect(redactor.redact(`🧵漢字 ${github} Ünï ${google}🧵`)).toBe(
      "🧵漢字 [redacted:github-token] Ünï [redacted:google-api-key]🧵",
    );
  });

  test("D7 is idempotent on any mixture, also without spaces between", () => {
    const valued = createRedactor({
      env: { SOME_TOKEN: `]${noise(9)}[`, OTHER_SECRET: `redacted:env ${noise(8)}`, DB_PASSWORD: "p/w@1 2:3" },
      extraValues: ["redacted", "github-token]", "[redacted:value"],
    });
    const piece = fc.oneof(
      fc.constantFrom(...planted.flatMap(({ text, secret }) => [text, secret, secret.slice(0, 12), secret.slice(3)])),
      fc.constantFrom(
        ...innocent,
        `]${noise(9)}[`,
        `redacted:env ${noise(8)}`,
        "p/w@1 2:3",
        "redacted",
        "github-token]",
      ),
      fc.constantFrom(
        "password=",
        "token: ",
        '"',
        "'",
        "\\n",
        "\n",
        " ",
        "://",
        ":",
        "@",
        "[redacted:",
        "[redacted:jwt]",
        "sk-",
      ),
      fc.string({ maxLength: 12 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const redacted = valued.redact(pieces.join(""));
        expect(valued.redact(redacted)).toBe(redacted);
      }),
      {
        numRuns: 1_000,
        examples: [
          [["Authorization: Bearer ", noise(24), `redacted:env ${noise(8)}`]],
          [[google, `sk-${noise(40)}`]],
          [["see ", google, noise(300), "password=", noise(12)]],
          [[`AKIA${noise(16, "upper")}`, "[redacted:"]],
          [["password=", noise(12), "redacted", "(x)"]],
        ],
      },
    );
  });

  test("D7 never throws and gives back the very same text when there is nothing to do", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        expect(redactor.redact(text)).toBe(text);
      }),
    );
    for (const text of ["", "\ud800", "password=\udc00", "://"]) expect(redactor.redact(text)).toBe(text);
  });

  // Each of these takes minutes or days if any pattern is worse than linear; the runner's time limit is the judge.
  test.each([
    "a",
    "sk-",
    "password=",
    "api_key:",
    "token='",
    "--token ",
    "curl ",
    "://a:",
    "eyJ",
    ".eyJaaaaaaaaaa",
    "host=a password=",
    "-----BEGIN PRIVATE KEY-----",
    `-----BEGIN PRIVATE KEY-----${"A".repeat(40)}-`,
    "authorization: bearer ",
    "[redacted:",
  ])("D7 stays linear on a megabyte of %j", (unit) => {
    const text = unit.repeat(1_000_000 / unit.length);
    expect(redactor.redact(text).length).toBeGreaterThan(0);
  });

  test("D7 stays linear on each rule's hint repeated, alone and with characters that fit behind it", () => {
    for (const { hints } of rules) {
      for (const unit of [hints[0]!, `${hints[0]}=a1`, ` ${hints[0]}${noise(30)}`]) {
        expect(redactor.redact(unit.repeat(50_000 / unit.length)).length).toBeGreaterThan(0);
      }
    }
  });
});
