import type { ServiceFacts } from "./service-facts.ts";

/** The text of a systemd unit that runs the daemon of one repository for its user. Throws nothing: what it cannot hold is refused before. */
export function systemdUnit({ root, command: [executable = "", ...args], path }: ServiceFacts): string {
  return `# Made by clew daemon install; clew daemon install --remove takes it away.
[Unit]
Description=Clew daemon of ${specifierFree(root)}
ConditionPathIsDirectory=${specifierFree(root)}
StartLimitIntervalSec=300
StartLimitBurst=5

[Service]
WorkingDirectory=${specifierFree(root)}
ExecStart=${[quoted(executable), ...args.map((word) => quoted(word).replaceAll("$", () => "$$"))].join(" ")}
Environment=${quoted(`PATH=${path}`)}
Restart=on-failure
RestartSec=5
# 130 is how it ends when it is asked to.
SuccessExitStatus=130
# Steps are ended by the daemon, in their own way; what is left after two minutes is killed.
KillMode=mixed
TimeoutStopSec=120

[Install]
WantedBy=default.target
`;
}

/** Why a path cannot stand in a unit, whose values go to the end of their line without quotes; undefined when it can. */
export function unitProblem(root: string): string | undefined {
  if (/[\u0000-\u001f\u007f]/.test(root)) return "has a line end or another control character in it";
  if (/[\s\\]$/.test(root)) return "ends in a blank or a backslash";
  return undefined;
}

/** `%` begins a specifier everywhere in a unit. */
function specifierFree(text: string): string {
  return text.replaceAll("%", "%%");
}

/** One word of a command line, or one variable. */
function quoted(text: string): string {
  return `"${specifierFree(text).replace(/[\\"]/g, (char) => `\\${char}`)}"`;
}
