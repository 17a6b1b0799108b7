import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const sessionsFolder = ".clew/sessions";

/** A throw-away git repository with sessions in it. */
export class Repository {
  /**
   * @param {import("./program.mjs").Program} program
   * @param {import("./place.mjs").Place} place
   * @param {string} name
   */
  constructor(program, place, name) {
    this.program = program;
    this.place = place;
    this.folder = place.folder(name);
    program.git(this.folder, "init", "--quiet", "--initial-branch=main");
    program.clew(this.folder, "init");
  }

  /** @param {string[]} args */
  clew(...args) {
    return this.program.clew(this.folder, ...args);
  }

  /** Logs to the session that the environment names. @param {string} id @param {string[]} args */
  log(id, ...args) {
    return this.program.node(this.folder, [this.program.file, "session", "log", ...args], { CLEW_SESSION: id });
  }

  /** Starts a session through the program. @param {string} title */
  start(title) {
    return this.clew("session", "start", title, "--agent", "coder@2").toString().trim();
  }

  /** @param {string} id */
  pathOf(id) {
    return join(this.folder, sessionsFolder, id, "session.md");
  }

  /** Writes a session's file, as if somebody had copied it here. @param {import("./sessions.mjs").MadeSession} session */
  write({ id, text }) {
    const content = Buffer.from(text);
    mkdirSync(join(this.folder, sessionsFolder, id), { recursive: true });
    writeFileSync(this.pathOf(id), content);
    return content;
  }

  /**
   * Writes sessions and commits them. Git's importer takes a hundred thousand files in seconds.
   * @param {Iterable<import("./sessions.mjs").MadeSession>} sessions
   * @returns {Promise<{ sessions: number, bytes: number }>}
   */
  async add(sessions) {
    const importer = await this.#beginCommit();
    let [count, bytes] = [0, 0];
    for (const { id, text } of sessions) {
      const content = this.write({ id, text });
      await importer.file(`${sessionsFolder}/${id}/session.md`, content);
      count += 1;
      bytes += content.length;
    }
    await importer.end();
    return { sessions: count, bytes };
  }

  /** Commits a file that is no session's. @param {string} text */
  async commitOther(text) {
    const importer = await this.#beginCommit();
    await importer.file("README.md", Buffer.from(text));
    await importer.end();
  }

  async #beginCommit() {
    const config = ["-c", "core.compression=1", "-c", "core.fsync=none"];
    const child = spawn("git", [...config, "fast-import", "--quiet", "--depth=0", "--force"], {
      cwd: this.folder,
      env: this.program.env,
      stdio: ["pipe", "ignore", "inherit"],
    });
    this.place.watch(child);
    const ended = once(child, "close");
    /** @param {string | Buffer} data */
    const write = async (data) => void (child.stdin.write(data) || (await once(child.stdin, "drain")));
    const hasParent = this.#hasCommits();
    const committer = `committer Bench <bench@example.invalid> ${Math.floor(Date.now() / 1000)} +0000`;
    const parent = hasParent ? "from refs/heads/main^0\n" : "";
    await write(`commit refs/heads/main\n${committer}\ndata 5\nbench\n${parent}`);
    return {
      /** @param {string} path @param {Buffer} content */
      async file(path, content) {
        await write(Buffer.concat([header(path, content), content, Buffer.from("\n")]));
      },
      async end() {
        child.stdin.end("\ndone\n");
        const [code] = await ended;
        if (code !== 0) throw new Error(`git fast-import ended with ${code}`);
      },
    };
  }

  #hasCommits() {
    try {
      this.program.git(this.folder, "rev-parse", "--verify", "--quiet", "HEAD");
      return true;
    } catch {
      return false;
    }
  }
}

/**
 * @param {string} path
 * @param {Buffer} content
 */
function header(path, content) {
  return Buffer.from(`M 100644 inline ${path}\ndata ${content.length}\n`);
}
