import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import type { DaemonService } from "../../src/contract/api/daemon.ts";
import { Repo } from "../support/repo.ts";

const hasAnalyze = spawnSync("systemd-analyze", ["--version"]).status === 0;
const isLinux = process.platform === "linux";

/** A repository in a folder with an odd name, a settings folder of its own, and a `systemctl` that writes down how it was called. */
class ServiceRepo extends Repo {
  readonly base: string;
  readonly calls: string;

  constructor(folder: string, systemctlExits = 0) {
    const base = realpathSync(mkdtempSync(join(tmpdir(), "clew-service-")));
    mkdirSync(join(base, folder));
    super(join(base, folder));
    this.base = base;
    this.calls = join(base, "calls");
    mkdirSync(join(base, "bin"));
    const systemctl = join(base, "bin/systemctl");
    writeFileSync(systemctl, `#!/bin/sh\necho "$@" >> '${this.calls}'\nexit ${systemctlExits}\n`);
    chmodSync(systemctl, 0o755);
    const path = [join(base, "bin"), process.env["PATH"] ?? ""].join(delimiter);
    Object.assign(this.env, { XDG_CONFIG_HOME: join(base, "config"), PATH: path });
  }

  override [Symbol.dispose](): void {
    super[Symbol.dispose]();
    rmSync(this.base, { recursive: true, force: true });
  }

  get units(): string[] {
    const folder = join(this.base, "config/systemd/user");
    return existsSync(folder) ? readdirSync(folder) : [];
  }

  get called(): string[] {
    return existsSync(this.calls) ? readFileSync(this.calls, "utf8").trimEnd().split("\n") : [];
  }
}

test.runIf(isLinux)(
  "D1 a systemd unit starts the daemon at login, whatever the repository's path is made of",
  async () => {
    using repo = new ServiceRepo(`a "b" 50% $HOME\\x 'c'`);
    const { service } = await repo.json<{ service: DaemonService }>("daemon", "install", "--port", "0");
    expect(repo.units).toHaveLength(1);
    expect(repo.units[0]).toMatch(/^clew-clew-test-\w+-[0-9a-f]{8}\.service$/);
    expect(service).toEqual({
      kind: "systemd",
      path: join(repo.base, "config/systemd/user", repo.units[0]!),
      next: [],
    });
    expect(repo.called).toEqual(["--user daemon-reload", `--user enable --now ${repo.units[0]}`]);
    const unit = readFileSync(service.path, "utf8");
    const inUnit = repo.root.replaceAll("%", "%%");
    expect(unit).toContain(`\nWorkingDirectory=${inUnit}\n`);
    expect(unit).toMatch(/\nExecStart="\/\S+" "\/[^"]+\/clew\.cjs" "daemon" "run" "--port" "0"\n/);
    expect(unit).toContain("\nRestart=on-failure\n");

    expect(await repo.json("daemon", "install", "--remove")).toEqual({ service: null });
    expect(repo.units).toEqual([]);
    expect(await repo.json("daemon", "install", "--remove")).toEqual({ service: null });
  },
);

test.runIf(isLinux && hasAnalyze)("D1 systemd itself finds nothing to say against the unit", async () => {
  using repo = new ServiceRepo(`a "b" 50% $HOME\\x 'c'`);
  const { service } = await repo.json<{ service: DaemonService }>("daemon", "install");
  const { status, stderr } = spawnSync("systemd-analyze", ["--user", "verify", "--man=no", service.path], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: repo.base, XDG_RUNTIME_DIR: repo.base },
  });
  const told = stderr.split("\n").filter((line) => line.includes(repo.units[0]!));
  expect([told, status]).toEqual([[], 0]);
});

test.runIf(isLinux)("D1 where systemctl does not work, a person is told what is left to do", async () => {
  using repo = new ServiceRepo("plain", 1);
  const { service } = await repo.json<{ service: DaemonService }>("daemon", "install");
  expect(service.next).toEqual(["systemctl --user daemon-reload", `systemctl --user enable --now ${repo.units[0]}`]);
  expect(await repo.clew("daemon", "install")).toContain(`Left to do:\n  $ systemctl --user daemon-reload\n`);
});

test.runIf(isLinux)("D1 a path that no unit can hold is refused, and nothing is written", async () => {
  using repo = new ServiceRepo("two\nlines");
  expect(await repo.refused(["daemon", "install"])).toMatchObject({
    code: "not_possible_now",
    message: expect.stringContaining("has a line end or another control character in it") as string,
  });
  expect([repo.units, repo.called]).toEqual([[], []]);
});
