import { plainName } from "./plain-name.ts";

/** The lines of a workflow's frontmatter; empty when it has none. Looks no further, so that a list of many files is quick. */
export function frontmatterOf(text: string): string {
  const opening = /^\uFEFF?---[ \t]*\r?\n/.exec(text);
  if (!opening) return "";
  const rest = text.slice(opening[0].length);
  const end = /^---[ \t]*\r?$/m.exec(rest);
  return end ? rest.slice(0, end.index) : "";
}

/** Whether a Markdown file says that it is a workflow. */
export function isWorkflow(text: string): boolean {
  return /^type:[ \t]*["']?workflow["']?[ \t]*(?:#.*)?\r?$/m.test(frontmatterOf(text));
}

/** The name of the grimoire that a workflow is, where its frontmatter has none: its file's, as far as a grimoire may be called so. */
export function workflowNameOf(file: string): string {
  const base = file.replace(/^.*\//, "").replace(/\.[^.]*$/, "");
  return (plainName(base) ?? "workflow").toLowerCase().replaceAll("_", "-").slice(0, 64);
}
