import type { ServiceFacts } from "./service-facts.ts";

interface PlistFacts extends ServiceFacts {
  label: string;
  log: string;
}

/** The text of a launchd agent that runs the daemon of one repository. It comes back only when it crashed: that it was stopped is no crash. */
export function launchdPlist({ label, root, command, path, log }: PlistFacts): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${escaped(label)}</string>
  <key>ProgramArguments</key>
  <array>
${command.map((word) => `    <string>${escaped(word)}</string>`).join("\n")}
  </array>
  <key>WorkingDirectory</key>
  <string>${escaped(root)}</string>
  <key>EnvironmentVariables</key>
  <dict>
    <key>PATH</key>
    <string>${escaped(path)}</string>
  </dict>
  <key>StandardErrorPath</key>
  <string>${escaped(log)}</string>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>Crashed</key>
    <true/>
  </dict>
</dict>
</plist>
`;
}

/** Why a path cannot stand in a property list; undefined when it can. */
export function plistProblem(path: string): string | undefined {
  return /[\u0000-\u001f\u007f]/.test(path) ? "has a line end or another control character in it" : undefined;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => entities[char]!);
}
