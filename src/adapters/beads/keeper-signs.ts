/** Names in `.beads` by which programs are known, the surest first. */
export interface Signs {
  bd: string[];
  br: string[];
  /** Of a `bd` from before 1.0. */
  old: string[];
  /** Whether the database of `bd` is here, or on a server. Git does not keep it: a fresh clone has only its settings. */
  hasBdData: boolean;
}

interface Settings {
  metadata: Record<string, unknown>;
  config: string;
}

/** Kept by `bd` as copies when it moves on: they are no sign of who keeps the beads now. */
const backupName = /backup|\.bak\b|pre-/i;

/** What the names in the folder and its settings say. `database` in metadata.json says nothing: both programs write it. */
export function signsIn(names: readonly string[], { metadata, config }: Settings): Signs {
  const present = (...candidates: string[]): string[] => candidates.filter((name) => names.includes(name));
  const isServer = present("dolt-server.port").length > 0 || isServerMode(metadata["dolt_mode"]) || serverIn(config);
  const data = present("embeddeddolt", "dolt");
  const isBdMetadata =
    metadata["backend"] === "dolt" ||
    ["dolt_mode", "dolt_database", "project_id"].some((key) => metadata[key] !== undefined);
  const bd = [
    ...data,
    ...present("dolt-server.port"),
    ...(isBdMetadata ? ["metadata.json"] : []),
    ...(serverIn(config) ? ["config.yaml"] : []),
  ];
  const isBrMetadata = !isBdMetadata && metadata["database"] === "beads.db" && metadata["jsonl_export"] !== undefined;
  const br = [
    ...present("beads.db", ".write.lock", ".br_history", "beads.base.jsonl"),
    ...(isBrMetadata ? ["metadata.json"] : []),
  ];
  const old = names.filter((name) => name.endsWith(".db") && name !== "beads.db" && !backupName.test(name));
  return { bd, br, old, hasBdData: data.length > 0 || isServer };
}

function isServerMode(mode: unknown): boolean {
  return mode === "server" || mode === "proxied-server";
}

/** `dolt.mode: server`, in one key or in two. Line by line, because only this much of the file matters. */
function serverIn(config: string): boolean {
  let isInDolt = false;
  for (const line of config.split("\n")) {
    if (/^["']?dolt\.mode["']?:[ \t]*["']?(?:proxied-)?server\b/.test(line)) return true;
    if (isInDolt && /^[ \t]+mode:[ \t]*["']?(?:proxied-)?server\b/.test(line)) return true;
    // What is not indented begins another key.
    if (/^[^ \t\r#]/.test(line)) isInDolt = line.startsWith("dolt:");
  }
  return false;
}
