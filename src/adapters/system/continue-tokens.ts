import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod/mini";
import type { ContinueTokens, TokenStep } from "../../app/run/connected/ports.ts";
import { ClewError } from "../../contract/errors.ts";
import { parseJson } from "../../text/parse-json.ts";
import { explainErrors } from "../files/failure.ts";

interface Parts {
  /** The folder of the user's keys. */
  folder: string;
  /** What the tokens are for: one of another repository is no token here. */
  repository: string;
  nowMs: () => number;
}

interface Key {
  number: number;
  secret: Buffer;
  madeMs: number;
}

/** A key that is older signs no more; the one before the newest still verifies. */
const keyLifeMs = 30 * 24 * 3_600_000;
const keyFile = z.object({ version: z.literal(1), made: z.string(), key: z.string() });
const payload = z.tuple([z.string(), z.string(), z.string(), z.int()]);
const tokenForm = /^clew_next_([\w-]{1,3000})\.([\w-]{43})$/;

/** Tokens that are signed with a key of the user's own. By their beginning, the redactor knows one wherever it stands. */
export function continueTokens({ folder, repository, nowMs }: Parts): ContinueTokens {
  const remembered = rememberedKeys(folder, nowMs);
  const keys = (): Key[] => explainErrors(folder, remembered);
  const macOf = ({ secret }: Key, data: string): Buffer =>
    createHmac("sha256", secret).update(`${repository}\n${data}`).digest();
  const signingKey = (): Key => {
    for (;;) {
      const newest = keys().at(-1);
      if (newest && newest.madeMs + keyLifeMs > nowMs()) return newest;
      // Another process may have made one meanwhile: then that one counts.
      explainErrors(folder, () => makeKey(folder, nowMs()));
    }
  };
  return {
    issue({ session, run, path, attempt }) {
      const data = Buffer.from(JSON.stringify([session, run, path, attempt])).toString("base64url");
      return `clew_next_${data}.${macOf(signingKey(), data).toString("base64url")}`;
    },
    read(token) {
      const [, data = "", mac = ""] = tokenForm.exec(token) ?? [];
      const given = Buffer.from(mac, "base64url");
      const isOurs = keys()
        .slice(-2)
        .some((key) => given.length === 32 && timingSafeEqual(given, macOf(key, data)));
      return isOurs ? stepIn(data) : undefined;
    },
  };
}

function stepIn(data: string): TokenStep | undefined {
  const parsed = z.safeParse(payload, parseJson(Buffer.from(data, "base64url").toString("utf8")));
  if (!parsed.success) return undefined;
  const [session, run, path, attempt] = parsed.data;
  return { session, run, path, attempt };
}

/** A change so soon after another may leave the same times behind. */
const settledMs = 2_000;

/** The keys of a folder, read again only when the folder or one of them changed: each step asks for them twice. */
function rememberedKeys(folder: string, nowMs: () => number): () => Key[] {
  let known: { keys: Key[]; stamp: string } | undefined;
  const stampOf = (keys: readonly Key[]): string | undefined => {
    const files = [folder, ...keys.map(({ number }) => join(folder, `${number}.key`))];
    const stats = files.map((path) => fs.lstatSync(path, { throwIfNoEntry: false, bigint: true }));
    if (stats.some((each) => each === undefined || nowMs() - Number(each.ctimeMs) < settledMs)) return undefined;
    return stats.map((each) => `${each?.ino}:${each?.ctimeNs}`).join();
  };
  return () => {
    if (known && stampOf(known.keys) === known.stamp) return known.keys;
    const keys = readKeys(folder);
    const stamp = stampOf(keys);
    known = stamp === undefined ? undefined : { keys, stamp };
    return keys;
  };
}

/** Oldest first. A file that is no key is passed over; one that others can read is refused. */
function readKeys(folder: string): Key[] {
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder)
    .flatMap((name) => {
      const number = numberOf(name);
      return number > 0 ? (readKey(join(folder, name), number) ?? []) : [];
    })
    .sort((one, other) => one.number - other.number);
}

/** 0 for what is no key. */
function numberOf(name: string): number {
  return Number(/^(\d{1,9})\.key$/.exec(name)?.[1] ?? 0);
}

function readKey(path: string, number: number): Key | undefined {
  const fd = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW);
  try {
    const { mode, size } = fs.fstatSync(fd);
    if ((mode & 0o077) !== 0)
      throw new ClewError("no_permission", `others can read the key ${path}`, `chmod 600 ${path}, or remove it`);
    const parsed = z.safeParse(keyFile, size > 4096 ? undefined : parseJson(fs.readFileSync(fd, "utf8")));
    if (!parsed.success) return undefined;
    const secret = Buffer.from(parsed.data.key, "base64url");
    return secret.length === 32 ? { number, secret, madeMs: Date.parse(parsed.data.made) } : undefined;
  } finally {
    fs.closeSync(fd);
  }
}

/**
 * Writes the next key, synced, under a name that appears only with the whole file. Does nothing when another process took that
 * number first. Removes the key before the previous one: tokens that it signed are not accepted any more.
 */
function makeKey(folder: string, nowMs: number): void {
  fs.mkdirSync(dirname(folder), { recursive: true });
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  fs.chmodSync(folder, 0o700);
  const number = Math.max(0, ...fs.readdirSync(folder).map(numberOf)) + 1;
  const path = join(folder, `${number}.key`);
  const fresh = join(folder, `.${number}.${randomBytes(6).toString("hex")}.new`);
  const file = { version: 1, made: new Date(nowMs).toISOString(), key: randomBytes(32).toString("base64url") };
  fs.writeFileSync(fresh, `${JSON.stringify(file)}\n`, { mode: 0o600, flag: "wx", flush: true });
  try {
    fs.linkSync(fresh, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    fs.unlinkSync(fresh);
  }
  fs.rmSync(join(folder, `${number - 2}.key`), { force: true });
}
