import { singleQuoted } from "../../text/shell-word.ts";

/**
 * The one first line of a script: reads the file at each path into its variable, byte for byte. The script itself
 * begins on line 2, so the line numbers in the shell's own messages are too high by exactly one. A file that cannot be
 * read ends the script with exit code 125.
 */
export function prologue(variables: { name: string; path: string }[]): string {
  const reads = variables.map(({ name, path }) => {
    if (/[\n\0]/.test(path)) throw new Error("The path of a value's file must stand on one line.");
    // A variable that came with the environment would stay exported, so it goes first. The dot keeps trailing newlines.
    return (
      `unset -v ${name}; ${name}=$(command cat <${singleQuoted(path)} && echo .) || ` +
      `{ echo "clew: a value of this script cannot be read" >&2; exit 125; }; ${name}=\${${name}%.}; `
    );
  });
  // An inherited allexport would pass the values on to every program.
  return reads.length === 0 ? "\n" : `set +a; ${reads.join("")}:\n`;
}
