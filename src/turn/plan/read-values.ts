import { formatDuration, longestDurationMs, readDuration } from "../../text/duration.ts";
import { trimOf } from "../../text/trim.ts";
import { keyForms, type ActionKey } from "./action-keys.ts";
import type { Fields, Field } from "./fields.ts";
import { inlineQuote, type Findings, type Spot } from "./findings.ts";
import { readPath } from "./plan-path.ts";
import { findMark } from "../../text/redaction-mark.ts";

/** Reads the values of an action's keys, and reports those that are none. */
export class Values {
  readonly #fields: Fields<ActionKey>;
  readonly #findings: Findings;
  readonly #heading: Spot;
  readonly #type: string;

  constructor(fields: Fields<ActionKey>, findings: Findings, heading: Spot, type: string) {
    this.#fields = fields;
    this.#findings = findings;
    this.#heading = heading;
    this.#type = type;
  }

  text(key: ActionKey): string | undefined {
    return this.#fields.get(key)?.value;
  }

  /** True or false; false when it is not said. */
  flag(key: ActionKey): boolean {
    const field = this.#fields.get(key);
    if (!field) return false;
    const word = bare(field.value).toLowerCase();
    if (["true", "yes"].includes(word)) return true;
    if (!["false", "no"].includes(word))
      this.#findings.error(field, `${key} is true or false, not ${inlineQuote(field.value)}`, keyForms[key]);
    return false;
  }

  durationMs(key: ActionKey): number | undefined {
    const field = this.#fields.get(key);
    if (!field) return undefined;
    const ms = readDuration(shortUnits(bare(field.value)));
    if (ms !== undefined) return ms;
    const message = `${key} is a duration of at most ${formatDuration(longestDurationMs)}, not ${inlineQuote(field.value)}`;
    this.#findings.error(field, message, `${keyForms[key]}, or 90s, 1h30m`);
    return undefined;
  }

  /** Of a file, which has to be said. Empty when it is missing or wrong. */
  filePath(): string {
    const field = this.#required("File Path");
    if (!field) return "";
    if (field.value.endsWith("/") || field.value.endsWith("/)")) {
      this.#findings.error(field, "the path names a folder, not a file", keyForms["File Path"]);
      return "";
    }
    return this.#path(field, "File Path") ?? "";
  }

  /** Of a folder; undefined for the root. */
  folder(key: ActionKey): string | undefined {
    const field = this.#fields.get(key);
    if (!field || /^(?:\.|\/|\.\/)$/.test(bare(field.value))) return undefined;
    return this.#path(field, key);
  }

  /** The name of an agent, which has to be said. */
  agent(): string {
    const field = this.#required("Agent");
    if (!field) return "";
    const name = bare(field.value).replace(/^@/, "");
    if (/^[A-Za-z0-9][\w.-]{0,63}$/.test(name)) return name;
    this.#findings.error(field, `${inlineQuote(field.value)} is no name of an agent`, keyForms.Agent);
    return "";
  }

  #required(key: ActionKey): Field | undefined {
    const field = this.#fields.get(key);
    if (!field) {
      const spot = this.#fields.spot(key) ?? this.#heading;
      this.#findings.error(spot, `${this.#type} has no ${key}`, keyForms[key]);
    }
    return field;
  }

  #path(field: Field, key: ActionKey): string | undefined {
    const read = readPath(field.value);
    if ("wrong" in read) {
      this.#findings.error(field, read.wrong, keyForms[key]);
      return undefined;
    }
    refuseMark(read.path, field, this.#findings);
    return read.path;
  }
}

/** A mark stands for what is not known; it must not be taken for the text itself. */
export function refuseMark(text: string, spot: Spot, findings: Findings): void {
  const found = findMark(text);
  if (!found) return;
  const message = `${found.mark} stands where a secret was taken out: what it stood for is not known here`;
  findings.error(spot, message, "an action without the secret, such as one that reads it from the environment");
}

function bare(text: string): string {
  return trimOf(text, " \t`*\"'");
}

/** `5 min` and `30 seconds` as `5m` and `30s`. */
function shortUnits(text: string): string {
  return text
    .slice(0, 60)
    .toLowerCase()
    .replaceAll(" ", "")
    .replaceAll(/milliseconds?|msecs?/g, "ms")
    .replaceAll(/minutes?|mins?/g, "m")
    .replaceAll(/seconds?|secs?/g, "s")
    .replaceAll(/hours?|hrs?/g, "h")
    .replaceAll(/days?/g, "d");
}
