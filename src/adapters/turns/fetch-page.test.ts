import { expect, test } from "vitest";
import { pageFetcher } from "./fetch-page.ts";
import { pageText } from "./page-text.ts";
import { isPrivateAddress } from "./private-addresses.ts";

test("T5 addresses of this machine and of networks around it are none of the web", () => {
  const own = [
    "127.0.0.1",
    "10.1.2.3",
    "192.168.0.1",
    "169.254.169.254",
    "::1",
    "fe80::1",
    "fd00::1",
    "::ffff:127.0.0.1",
    "::ffff:a00:1",
    "0.0.0.0",
    "localhost",
  ];
  expect(own.filter((address) => !isPrivateAddress(address))).toEqual([]);
  const others = ["1.1.1.1", "93.184.216.34", "2606:4700:4700::1111", "::ffff:1.1.1.1"];
  expect(others.filter(isPrivateAddress)).toEqual([]);
});

test("T5 names that lead to this machine are refused when they are resolved, and other schemes before", async () => {
  const fetchPage = pageFetcher({ allowPrivate: false });
  const { signal } = new AbortController();
  const addresses = {
    "http://localhost:1/": "no address of the web",
    "http://[::1]/": "no address",
    "http://0x7f.1/": "no address",
    "file:///etc/passwd": "only http and https",
    "http://a:b@example.com/": "password",
  };
  for (const [url, reason] of Object.entries(addresses)) await expect(fetchPage(url, signal)).rejects.toThrow(reason);
});

test("the text of a page has no tags, scripts, styles or comments, and takes linear time", () => {
  expect(pageText("<title>A</title><style>p{}</style><p>one &lt;two&gt;&#65;</p><!-- no --><ul><li>x<li>y</ul>")).toBe(
    "A\none <two>A\n\nx\ny",
  );
  expect(pageText("<p>a</p><SCRIPT>no()</SCRIPT><p>b</p><style>p{}</STYLE >c<Script>never ends")).toBe("a\n\nb\nc");
  expect(pageText("<".repeat(200_000))).toBe("");
  expect(pageText("<!--".repeat(50_000))).toBe("");
});
