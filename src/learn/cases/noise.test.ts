import { expect, test } from "vitest";
import { noiseIn } from "./noise.ts";

test("S15 a rate limit is noise only where a server says so", () => {
  for (const text of [
    "FAIL test/rate-limit.test.ts",
    "FAIL test/rate-limit.test.ts > the rate limit exceeded answer is 429 Too Many Requests",
    "FAILED tests/test_rate_limited.py::test_429",
    "AssertionError: expected 200 to equal 429",
    "expected status 429 but got 200",
    "TypeError: rateLimit is not a function",
  ])
    expect([text, noiseIn(text)]).toEqual([text, undefined]);
  for (const text of [
    "HTTP 429",
    "HTTP/1.1 429 Too Many Requests",
    "API error 429: rate limit reached",
    "npm error 429 Too Many Requests - GET https://registry.npmjs.org/x",
    "Request failed with status code 429",
    '{"type":"error","error":{"type":"rate_limit_error"}}',
  ])
    expect([text, noiseIn(text)]).toEqual([text, "transient"]);
});
