import type { Json } from "../../contract/json.ts";
import { contentText } from "../content-text.ts";
import { fieldsOf, objectIn } from "../read-fields.ts";

/** What a tool of Codex gave, without the lines that the program puts before it. */
export function codexResult(output: Json | undefined): { output: string; failed: boolean } {
  if (typeof output !== "string") {
    const fields = fieldsOf(output);
    const content = fields.content ?? output;
    return { output: contentText(content), failed: fields.success === false };
  }
  if (output.startsWith("{")) {
    const fields = objectIn(output);
    const code = fieldsOf(fields?.metadata).exit_code;
    if (fields && typeof fields.output === "string") return { output: fields.output, failed: (code ?? 0) !== 0 };
  }
  const head = output.slice(0, 400);
  const code = /^(?:Process exited with code|Exit code:) (-?\d+)$/m.exec(head)?.[1];
  const bodyAt = code === undefined ? -1 : head.indexOf("\nOutput:\n");
  const hasFailed =
    (code ?? "0") !== "0" || /^(?:apply_patch verification failed|failed |error:|unsupported call)/i.test(head);
  return { output: bodyAt < 0 ? output : output.slice(bodyAt + "\nOutput:\n".length), failed: hasFailed };
}
