/** A program whose arguments are another command, and what may stand before that command. */
export interface Wrapper {
  /** Letters of options without a value. */
  flags?: string;
  /** Letters of options with a value. */
  values?: string;
  /** Long options besides LONG_FLAGS; `--name=` takes a value. */
  long?: string;
  /** Words before the command that are neither options nor part of it: the time of `timeout`. */
  operands?: number;
  /** Whether `NAME=value` may stand before the command. */
  allowsAssignments?: boolean;
  /** Letters of options with which nothing is run: `command -v`. */
  queryFlags?: string;
  /** Runs a shell if no command is given: always, or with an option of this form. */
  shell?: RegExp;
}

const PACKAGE: Wrapper = { flags: "yq", values: "pw", long: "--yes --no --no-install --quiet --bun --package=" };
const SHELL_OPTION = /^(-[A-Za-z]*[si]|--shell|--login)$/;

/** By name, or by name and subcommands. */
export const wrappers = new Map<string, Wrapper>([
  ["builtin", {}],
  ["bundle exec", {}],
  ["bunx", PACKAGE],
  ["busybox", {}],
  ["chroot", { operands: 1, shell: /^/ }],
  ["command", { flags: "p", queryFlags: "vV" }],
  ["cross-env", { allowsAssignments: true }],
  ["direnv exec", { operands: 1 }],
  ["doas", { flags: "nsL", values: "uC", shell: SHELL_OPTION }],
  ["env", { flags: "i0v", values: "uC", allowsAssignments: true, long: "--unset= --chdir=" }],
  ["exec", { flags: "cl", values: "a" }],
  ["flock", { flags: "sxnuoF", values: "wE", operands: 1, long: "--nonblock --exclusive --shared --timeout=" }],
  ["gdb", { flags: "q", long: "--args --batch --quiet", values: "x" }],
  ["git bisect run", {}],
  ["ionice", { flags: "t", values: "cn", long: "--class= --classdata=" }],
  ["jobs", { flags: "lnprsx" }],
  ["nice", { flags: "0123456789", values: "n", long: "--adjustment=" }],
  ["nohup", {}],
  ["npm exec", PACKAGE],
  ["npx", PACKAGE],
  ["nsenter", { flags: "amuinpCUTrwFe", values: "tSGW", long: "--all --target=", shell: /^/ }],
  ["pnpm dlx", PACKAGE],
  ["pnpm exec", { flags: "r" }],
  ["poetry run", {}],
  ["setpriv", { long: "--reuid= --regid= --groups= --clear-groups --init-groups --no-new-privs --reset-env" }],
  ["setsid", { flags: "cfw", long: "--ctty --fork" }],
  ["stdbuf", { values: "ioe", long: "--input= --output= --error=" }],
  ["strace", { flags: "cfFqrtTvVxy", values: "oepsuEIPa" }],
  [
    "sudo",
    {
      flags: "AbEHiknPsS",
      values: "ugpChrtTUDR",
      allowsAssignments: true,
      long: "--user= --group= --prompt= --chdir= --set-home --stdin --login --shell",
      shell: SHELL_OPTION,
    },
  ],
  [
    "systemd-run",
    {
      flags: "dGPqrSt",
      values: "EpuMH",
      long: "--user --scope --pty --pipe --quiet --collect --unit= --property= --setenv=",
      shell: /^(-[A-Za-z]*S|--shell)$/,
    },
  ],
  ["taskset", { flags: "ac", operands: 1 }],
  ["time", { flags: "apqvV", values: "fo", long: "--format= --output= --portability" }],
  ["timeout", { flags: "fpv", values: "ks", operands: 1, long: "--signal= --kill-after=" }],
  ["unshare", { flags: "muinpCUTrcf", values: "SGRw", long: "--map-root-user --net --pid --fork", shell: /^/ }],
  ["uv run", { flags: "qv", values: "p", long: "--frozen --locked --no-sync --with= --python= --extra= --group=" }],
  ["uvx", { flags: "qv", values: "p", long: "--from= --with= --python=" }],
  [
    "xargs",
    { flags: "0oprtx", values: "adEILnPs", long: "--max-args= --max-procs= --arg-file= --delimiter= --replace" },
  ],
  ["xvfb-run", { flags: "al", values: "efnpsw", long: "--auto-servernum --server-num= --server-args=" }],
  ["yarn dlx", PACKAGE],
  ["yarn exec", {}],
]);

/** Long options without a value, whichever wrapper they stand behind. */
export const LONG_FLAGS =
  /^--(foreground|ignore-environment|no-run-if-empty|non-interactive|null|preserve-(env|status)|verbose|wait)$/;
