import { runChild, type ChildEnd, type ChildRecord } from "../../shell/run-child.ts";

interface SetupParts {
  env: Record<string, string | undefined>;
  signal: AbortSignal;
  mark: string;
  onProcess: (record: ChildRecord) => void;
  onOutput: (stream: "stdout" | "stderr", text: string) => void;
}

/** Runs the command that prepares a new worktree. After a crash it runs again. */
export function runSetup(command: string, folder: string, parts: SetupParts): Promise<ChildEnd> {
  const { env, signal, mark, onProcess, onOutput } = parts;
  return runChild(
    { command: ["/bin/sh", "-c", command], folder, env, mark },
    {
      signal,
      onStarted: onProcess,
      onStdout: (text) => onOutput("stdout", text),
      onStderr: (text) => onOutput("stderr", text),
    },
  );
}
