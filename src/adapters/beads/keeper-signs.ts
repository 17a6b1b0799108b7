/** Names in `.beads` that show which program keeps the beads, the surest first. */
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

/** Copies that `bd` keeps when it migrates: they do not show which program keeps the beads now. */
const backupName = /backup|\.bak\b|pre-/i;

/** Reads names and settings of the folder. `database` in metadata.json shows nothing: both programs write it. */
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

/** Whether the settings say `dolt.mode: server`, in one key or in two. Read line by line: no more of the file matters. */
function serverIn(config: string): boolean {
  let isInDolt = false;
  for (const line of config.split("\n")) {
    if (/^["']?dolt\.mode["']?:[ \t]*["']?(?:proxied-)?server\b/.test(line)) return true;
    if (isInDolt && /^[ \t]+mode:[ \t]*["']?(?:proxied-)?server\b/.test(line)) return true;
    // A line that is not indented begins another key.
    if (/^[^ \t\r#]/.test(line)) isInDolt = line.startsWith("dolt:");
  }
  return false;
}
