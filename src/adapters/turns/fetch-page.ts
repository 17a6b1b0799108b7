import { lookup as lookUp } from "node:dns";
import { request as requestHttp, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { FetchPage } from "../../app/turn/execution/ports.ts";
import { isPrivateAddress } from "./private-addresses.ts";
import { pageText } from "./page-text.ts";

const maxMs = 20_000;
const maxBytes = 1024 * 1024;
const maxRedirects = 5;
const textTypes = /^(?:text\/[\w.+-]+|application\/(?:[\w.+-]*\+)?(?:json|xml|yaml|x-yaml|javascript|toml))$/;

/** Fetches texts of the web. `allowPrivate` is the user's own setting. */
export function pageFetcher({ allowPrivate }: { allowPrivate: boolean }): FetchPage {
  return async (first, signal) => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(maxMs)]);
    let url = readUrl(first);
    for (let redirects = 0; ; redirects++) {
      const response = await get(url, limit, allowPrivate);
      const { statusCode = 0, headers } = response;
      if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
        response.destroy();
        if (redirects === maxRedirects) throw new Error(`more than ${maxRedirects} redirects`);
        url = readUrl(headers.location, url);
        continue;
      }
      if (statusCode !== 200) {
        response.destroy();
        throw new Error(`the server answered ${statusCode}`);
      }
      return { url: url.href, text: await textOf(response, limit) };
    }
  };
}

function readUrl(text: string, base?: URL): URL {
  const url = URL.canParse(text, base?.href) ? new URL(text, base) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") throw new Error("only http and https are fetched");
  if (url.username !== "" || url.password !== "") throw new Error("an address with a password is not fetched");
  return url;
}

function get(url: URL, signal: AbortSignal, allowPrivate: boolean): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (!allowPrivate && isIP(host) !== 0 && isPrivateAddress(host)) throw isPrivate(host);
  const headers = { "user-agent": "clew", accept: "text/*, application/json", "accept-encoding": "identity" };
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const lookup = allowPrivate ? undefined : publicLookup;
    const sent = request(url, { headers, signal, agent: false, ...(lookup && { lookup }) }, resolve);
    sent.on("error", (error) => reject(signal.aborted ? new Error(abortedText(signal)) : error));
    sent.end();
  });
}

/** Resolves a name once, and connects to what was checked: a second answer cannot lead elsewhere. */
const publicLookup: LookupFunction = (name, options, done) => {
  lookUp(name, { ...options, all: true }, (error, found) => {
    if (error) return done(error, "");
    const own = found.find(({ address }) => isPrivateAddress(address));
    if (own) return done(isPrivate(own.address), "");
    if (options.all) return done(null, found);
    const [first] = found;
    done(first ? null : new Error(`${name} has no address`), first?.address ?? "", first?.family);
  });
};

function isPrivate(address: string): Error {
  return new Error(`${address} is no address of the web; your own setting research_private allows it`);
}

function abortedText(signal: AbortSignal): string {
  return (signal.reason as Error | undefined)?.name === "TimeoutError"
    ? `no answer in ${maxMs / 1000} s`
    : "was stopped";
}

async function textOf(response: IncomingMessage, signal: AbortSignal): Promise<string> {
  const [type = "", ...options] = (response.headers["content-type"] ?? "text/plain").toLowerCase().split(";");
  if (!textTypes.test(type.trim())) {
    response.destroy();
    throw new Error(`it is ${type.trim()}, and no text`);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      chunks.push(chunk);
      if (size > maxBytes) break;
    }
  } catch (error) {
    throw signal.aborted ? new Error(abortedText(signal), { cause: error }) : error;
  }
  const charset = /^charset="?([\w-]+)"?$/.exec(
    options.map((each) => each.trim()).find((each) => each.startsWith("charset=")) ?? "",
  )?.[1];
  const text = decode(Buffer.concat(chunks).subarray(0, maxBytes), charset ?? "utf-8");
  const shown = type.trim() === "text/html" ? pageText(text) : text;
  return size > maxBytes ? `${shown}\n[cut here: the page is longer than 1 MiB]` : shown;
}

function decode(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return bytes.toString("utf8");
  }
}
