import { ClewError } from "../contract/errors.ts";
import type { Input } from "./context.ts";

/** The text of a file, or of stdin for `-`. */
export async function readInput(input: Input, file: string): Promise<string> {
  const bytes = file === "-" ? await input.readStdin() : Buffer.from(readInputFile(input, file));
  return bytes.toString("utf8");
}

/** The bytes of a file, because decoding would hide what is not UTF-8. */
export function readInputFile(input: Input, file: string): Uint8Array {
  try {
    return input.readFile(file);
  } catch (error) {
    const message = `cannot read ${file}: ${(error as Error).message}`;
    throw new ClewError("invalid_input", message, "give a file, or - for stdin", { cause: error });
  }
}

/** The JSON of a file or of stdin. `hint` shows the form that is expected. */
export async function readJsonInput(input: Input, file: string, hint: string): Promise<unknown> {
  const text = await readInput(input, file);
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    const place = file === "-" ? "stdin" : file;
    throw new ClewError("invalid_input", `${place} is not JSON: ${(error as Error).message}`, hint, { cause: error });
  }
}
