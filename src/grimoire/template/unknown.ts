/** What a template can be executed on: JSON, with gaps and with values that are not known yet. */
export type Data = null | undefined | boolean | number | string | Unknown | Data[] | { [key: string]: Data };

export type UnknownType = "text" | "int" | "boolean" | "object" | "list" | "any";

/** A value that exists only later. It may stand anywhere in the data and prints as a placeholder. */
export class Unknown {
  readonly label: string;
  readonly type: UnknownType;
  /** What is known of its fields. When absent, every field exists and is unknown. */
  readonly fields: Readonly<Record<string, Data>> | undefined;
  /** Whether names that are not in `fields` are unknown rather than missing. */
  readonly open: boolean;

  constructor(label: string, type: UnknownType = "any", fields?: Record<string, Data>, open = fields === undefined) {
    this.label = label;
    this.type = type;
    this.fields = fields;
    this.open = open;
  }

  field(name: string): Data {
    if (this.fields !== undefined && Object.hasOwn(this.fields, name)) return this.fields[name];
    return this.open ? new Unknown(`${this.label}.${name}`) : undefined;
  }

  /** How it prints: `⟨label: type⟩`. */
  get placeholder(): string {
    return this.type === "any" ? `⟨${this.label}⟩` : `⟨${this.label}: ${this.type}⟩`;
  }
}
