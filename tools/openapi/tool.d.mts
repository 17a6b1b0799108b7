/** Installs the packages when they are first asked for; returns their folder. */
export function installTool(): Promise<string>;

/** What the linter's recommended rules and the schema of OpenAPI say against a document. */
export function problemsOf(document: string): Promise<string[]>;

/** The document's types, as openapi-typescript writes them. */
export function typesOf(document: string): Promise<string>;
