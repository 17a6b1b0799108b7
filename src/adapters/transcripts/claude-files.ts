import { join } from "node:path";
import { addFolder, foldersIn, type Listing } from "./list-folder.ts";

/** Claude names a project's folder by its path, with dashes; of a very long one, only the beginning is sure. */
const sureChars = 150;

/** Whether a folder of this name may hold transcripts of a folder, or of one in it. */
export function mayBeProject(name: string, root: string): boolean {
  const encoded = root.replace(/[^A-Za-z0-9]/g, "-").slice(0, sureChars);
  return (
    name.startsWith(encoded) &&
    (name.length === encoded.length || encoded.length === sureChars || name[encoded.length] === "-")
  );
}

/** `projects/<cwd>/<id>.jsonl`, and subagents beside it or in `<id>/subagents/`. */
export function listClaude(home: string, roots: string[] | undefined): Listing {
  const listing: Listing = { files: [], skipped: [] };
  for (const project of foldersIn(join(home, "projects"))) {
    if (roots && !roots.some((root) => mayBeProject(project, root))) continue;
    const folder = join(home, "projects", project);
    addFolder(listing, "claude", folder, (name) => {
      const id = idOf(name);
      // Earlier versions put a subagent beside its session; its lines tell whose it is.
      return id === undefined ? undefined : { session: id, ...(id.startsWith("agent-") && { parent: "" }) };
    });
    for (const session of foldersIn(folder)) {
      addFolder(listing, "claude", join(folder, session, "subagents"), (name) => {
        const id = idOf(name);
        return id === undefined ? undefined : { session: id, parent: session };
      });
    }
  }
  return listing;
}

function idOf(name: string): string | undefined {
  return /^([A-Za-z0-9][\w.-]{0,150})\.jsonl$/.exec(name)?.[1];
}
