/**
 * What the checker cannot see for itself. Each entry must still be found in the source, or the gate fails.
 *
 * `accepted`: the checker objects, and the reason says why it need not.
 * `made`: made while the program runs; `samples` are such patterns, or it is a copy of one that stands elsewhere.
 * @type {{ accepted: Known[], made: Array<Known & { samples: string[] }> }}
 * @typedef {{ file: string, text: string, reason: string }} Known
 */
export const known = {
  accepted: [],
  made: [
    {
      file: "src/redact/finder.ts",
      text: "new RegExp(rule.pattern.source, `${rule.pattern.flags}y`)",
      reason: "a copy of a rule's pattern, and all rules are checked",
      samples: [],
    },
    {
      file: "src/session/search/match.ts",
      text: 'new RegExp(`(?<![${wordUnits}])${termPattern}(?![${wordUnits}])`, "g")',
      reason: "words of a query hold no signs of a pattern",
      samples: [
        String.raw`(?<![a-z0-9\u0080-\uffff])aa[^a-z0-9\u0080-\uffff]+a[^a-z0-9\u0080-\uffff]+b[a-z0-9\u0080-\uffff]*(?![a-z0-9\u0080-\uffff])`,
      ],
    },
    {
      file: "src/grimoire/template/syntax/parse-number.ts",
      text: "new RegExp(`(^|(?!${digit}|_).)_|_(?!${digit})`)",
      reason: "there are two kinds of digits",
      samples: ["(^|(?![0-9a-fA-F]|_).)_|_(?![0-9a-fA-F])", "(^|(?![0-9]|_).)_|_(?![0-9])"],
    },
    {
      file: "src/grimoire/template/syntax/scan-number.ts",
      text: "new RegExp(form)",
      reason: "copies of the literals above it",
      samples: [],
    },
    {
      file: "src/grimoire/template/syntax/unquote.ts",
      text: "new RegExp(form)",
      reason: "copies of the literals above it",
      samples: [],
    },
  ],
};
