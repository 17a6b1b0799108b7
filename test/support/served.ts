import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { request, type IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { DaemonInfo } from "../../src/contract/api/daemon.ts";
import { endDaemon } from "./end-daemon.ts";
import type { Repo } from "./repo.ts";
import { until } from "./runs.ts";

export interface Answered {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The body, where it is JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the document promises what it is, and is compared
  body: any;
}

interface Asking {
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** On loopback instead of the socket. */
  loopback?: boolean;
  /** None when it is null. */
  token?: string | null;
}

/** A repository with a daemon of its own. Each answer is held against the OpenAPI document that the daemon serves. */
export class Served implements AsyncDisposable {
  readonly repo: Repo;
  /** The one that was started last. */
  daemon: DaemonInfo;
  /** A person's. */
  readonly token: string;
  readonly #runtime: string;

  private constructor(repo: Repo, daemon: DaemonInfo, token: string, runtime: string) {
    this.repo = repo;
    this.daemon = daemon;
    this.token = token;
    this.#runtime = runtime;
  }

  static async start(repo: Repo, env: Record<string, string> = {}): Promise<Served> {
    const runtime = realpathSync(mkdtempSync(join(tmpdir(), "clew-run-")));
    Object.assign(repo.env, { XDG_RUNTIME_DIR: runtime, ...env });
    const { daemon } = await repo.json<{ daemon: DaemonInfo }>("daemon", "start", "--port", "0");
    const { token } = await repo.json<{ token: string }>("daemon", "token");
    return new Served(repo, daemon, token, runtime);
  }

  get(path: string, asking: Asking = {}): Promise<Answered> {
    return this.ask(path, asking);
  }

  post(path: string, body: unknown = {}, asking: Asking = {}): Promise<Answered> {
    return this.ask(path, { ...asking, method: "POST", body });
  }

  async ask(
    path: string,
    { method = "GET", body, headers, loopback = false, token = null }: Asking,
  ): Promise<Answered> {
    const { hostname, port } = new URL(this.daemon.url!);
    const answered = await new Promise<Answered>((done, fail) => {
      const asking = request(
        {
          ...(loopback ? { hostname, port } : { socketPath: this.daemon.socket }),
          method,
          path,
          agent: false,
          headers: {
            ...(body !== undefined && { "content-type": "application/json" }),
            ...(token !== null && { authorization: `Bearer ${token}` }),
            ...headers,
          },
        },
        (response) => {
          let text = "";
          response.setEncoding("utf8").on("data", (part: string) => (text += part));
          response.on("end", () => {
            const isJson = (response.headers["content-type"] ?? "").startsWith("application/json");
            const { statusCode: status = 0, headers: got } = response;
            done({ status, headers: got, text, body: isJson && text !== "" ? JSON.parse(text) : undefined });
          });
        },
      );
      asking
        .on("error", fail)
        .end(body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body));
    });
    checkAgainstDocument(method, path, answered);
    return answered;
  }

  /** The daemon dies at once. */
  async kill(): Promise<void> {
    process.kill(this.daemon.pid, "SIGKILL");
    await until(() => !existsSync(`/proc/${this.daemon.pid}`));
  }

  /** Starts another daemon where the last one was, after that has ended. */
  async startAgain(): Promise<void> {
    await this.repo.run(["daemon", "stop"]);
    const { port } = new URL(this.daemon.url!);
    this.daemon = (await this.repo.json<{ daemon: DaemonInfo }>("daemon", "start", "--port", port)).daemon;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await endDaemon(this.repo, this.#runtime);
    this.repo[Symbol.dispose]();
    rmSync(this.#runtime, { recursive: true, force: true });
  }
}

interface ApiDocument {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, { schema: object }> }> }>
  >;
}

const document = JSON.parse(
  readFileSync(resolve(import.meta.dirname, "../../dist/openapi.json"), "utf8"),
) as ApiDocument;
const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, "api");

/** Throws when an answer is not what the document promises. */
function checkAgainstDocument(method: string, path: string, { status, body }: Answered): void {
  const pattern = patternOf(path);
  const operation =
    pattern === undefined ? undefined : document.paths[pattern]?.[method === "HEAD" ? "get" : method.toLowerCase()];
  const response = operation?.responses[status];
  if (operation && !response) throw new Error(`${method} ${path} answered ${status}, which the document does not tell`);
  if (body === undefined) return;
  const place = operation
    ? ["paths", pattern!, method.toLowerCase(), "responses", String(status), "content", "application/json", "schema"]
    : ["components", "schemas", "Error"];
  const pointer = place
    .map((word) => word.replaceAll("~", "~0").replaceAll("/", "~1"))
    .map(encodeURIComponent)
    .join("/");
  const validate = ajv.getSchema(`api#/${pointer}`);
  if (!validate) throw new Error(`no schema at ${pointer}`);
  if (!validate(body)) {
    const [first] = validate.errors ?? [];
    throw new Error(
      `${method} ${path}: ${first?.instancePath} ${first?.message} in ${JSON.stringify(body).slice(0, 2000)}`,
    );
  }
}

/** The path of the document that leads there: its own words go before fields. */
function patternOf(path: string): string | undefined {
  const words = path.split("?")[0]!.split("/");
  const fits = Object.keys(document.paths).filter((pattern) => {
    const own = pattern.split("/");
    return own.length === words.length && own.every((word, at) => word.startsWith("{") || word === words[at]);
  });
  return fits.sort((one, other) => one.split("{").length - other.split("{").length)[0];
}
