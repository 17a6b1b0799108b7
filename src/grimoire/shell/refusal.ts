/** Why a value cannot stand at a hole. `where` continues "{{.x}} stands …"; the hint tells what to write instead. */
export interface HoleRefusal {
  where: string;
  hint: (source: string) => string;
}

const digitsOnly = (source: string, use: string) =>
  `Let only digits through: n=${source}; case $n in "" | *[!0-9]*) echo "not a number" >&2; exit 2 ;; esac; then use ${use}.`;

/** For places that the lexer itself recognises. Refusals that depend on the command are in `rules/`. */
export const refusals = {
  arithmetic: {
    where: "in arithmetic, where bash runs commands that a value names",
    hint: (source) => digitsOnly(source, "$n"),
  },
  subscript: {
    where: "in the subscript of an array, where bash runs commands that a value names",
    hint: (source) => digitsOnly(source, "[$n]"),
  },
  parameter: {
    where: "inside ${…}, whose quoting differs from shell to shell",
    hint: (source) => `Give it to a variable on the line above, x=${source}, and use "$x" inside.`,
  },
  ansiQuotes: {
    where: "inside $'…', where a value cannot be put",
    hint: (source) => `End the quotes before it and go on after it: $'…'${source}$'…'.`,
  },
  localeQuotes: {
    where: 'inside $"…", which is translated before it is used',
    hint: (source) => `Use plain double quotes: "…${source}…".`,
  },
  backquotes: {
    where: "inside backquotes, where the shell reads the text twice",
    hint: (source) => `Use $(…) instead of backquotes: $(command ${source}).`,
  },
  afterDollar: {
    where: "directly after a $, which would become part of the reference",
    hint: (source) => String.raw`Write \$${source} for a dollar sign before the value, or remove the $.`,
  },
  afterBackslash: {
    where: "directly after a backslash, which would take away its quoting",
    hint: (source) => String.raw`Write \\${source} for a backslash before the value, or remove the backslash.`,
  },
  commandWord: {
    where: "where the shell expects a command, so that the value would choose the program",
    hint: (source) =>
      `Write the command's name in the script and pass ${source} as an argument, or choose with case ${source} in … esac.`,
  },
  functionName: {
    where: "in the name of a function",
    hint: (source) => `Write the function's name in the script and pass ${source} as an argument.`,
  },
  variableName: {
    where: "in the name of a variable",
    hint: (source) => `Write the variable's name in the script; a value belongs on the right: x=${source}.`,
  },
  delimiter: {
    where: "in the delimiter of a here-document",
    hint: () =>
      "Write the delimiter in the script; the text between may hold any value, also lines equal to the delimiter.",
  },
  delimiterQuotes: {
    where: "in a here-document whose quoted delimiter is more than a plain word",
    hint: () => "Use a delimiter of letters, digits and underscores, such as 'EOF'.",
  },
  descriptor: {
    where: "as a file descriptor",
    hint: (source) => `Write the descriptor's number in the script; a file may be a value: > ${source}.`,
  },
  pattern: {
    where: "inside a pattern with parentheses, which not every shell reads",
    hint: (source) => `Use case with one pattern per alternative: case $word in a | ${source}) … ;; esac.`,
  },
  braceSequence: {
    where: "in a sequence {a..b}, which no shell makes out of a value",
    hint: (source) => `Use seq: for i in $(seq 1 ${source}); do …; done.`,
  },
  otherCommand: {
    where: "after &>, which ends the command in shells other than bash",
    hint: () => "Put the redirection at the end, as > file 2>&1.",
  },
} as const satisfies Record<string, HoleRefusal>;
