import { basename, join } from "node:path";
import { mayBeProject } from "./claude-files.ts";
import { addFolder, foldersIn, type Listing } from "./list-folder.ts";

/** `projects/<cwd>/chats/<id>.jsonl`, and subagents in `projects/<cwd>/subagents/<id>/`. */
export function listQwen(home: string, roots: string[] | undefined): Listing {
  const listing: Listing = { files: [], skipped: [] };
  for (const project of foldersIn(join(home, "projects"))) {
    if (roots && !roots.some((root) => mayBeProject(project.toLowerCase(), root.toLowerCase()))) continue;
    const folder = join(home, "projects", project);
    addFolder(listing, "qwen", join(folder, "chats"), (name) =>
      name.endsWith(".jsonl") ? { session: basename(name, ".jsonl") } : undefined,
    );
    for (const session of foldersIn(join(folder, "subagents"))) {
      addFolder(listing, "qwen", join(folder, "subagents", session), (name) =>
        name.endsWith(".jsonl") ? { session: basename(name, ".jsonl"), parent: session } : undefined,
      );
    }
  }
  return listing;
}
