import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { proseFrom } from "./prose.mjs";
import { pick, randomFrom } from "./random.mjs";

const firstDayMs = Date.parse("2026-06-01T08:00:00.000Z");
const models = ["claude-opus-4-5", "claude-sonnet-4-5", "claude-sonnet-4-5"];
const version = "2.1.325";

/**
 * Transcripts of Claude Code in the folders and forms that version 2.1 uses: requests, attachments, messages that come in several
 * lines, and results that stand in a line twice, as text for the model and as data.
 * @param {string} home the folder that CLAUDE_CONFIG_DIR names
 * @param {string} cwd where the agents worked
 * @param {number} totalBytes
 * @param {number} bytesEach
 * @returns {{ files: number, bytes: number, messages: number }}
 */
export function writeTranscripts(home, cwd, totalBytes, bytesEach) {
  const random = randomFrom(10);
  const sentence = proseFrom(random);
  const folder = join(home, "projects", cwd.replace(/[^A-Za-z0-9]/g, "-"));
  mkdirSync(folder, { recursive: true });
  let [files, bytes, messages] = [0, 0, 0];
  while (bytes < totalBytes) {
    const session = uuid(random);
    const fd = openSync(join(folder, `${session}.jsonl`), "w");
    const size = Math.floor(bytesEach * (0.2 + 1.6 * random()));
    let pending = "";
    let written = 0;
    for (const line of sessionLines(random, sentence, { session, cwd, startMs: firstDayMs + files * 3_600_000 })) {
      if (line.includes('"output_tokens"')) messages += 1;
      pending += `${line}\n`;
      if (pending.length < 1 << 20 && written + pending.length < size) continue;
      written += writeSync(fd, pending);
      pending = "";
      if (written >= size) break;
    }
    closeSync(fd);
    bytes += written;
    files += 1;
  }
  return { files, bytes, messages };
}

/**
 * @param {() => number} random
 * @param {() => string} sentence
 * @param {{ session: string, cwd: string, startMs: number }} about
 * @returns {Generator<string>}
 */
function* sessionLines(random, sentence, { session, cwd, startMs }) {
  let ms = startMs;
  /** @type {string | null} */
  let parent = null;
  const at = () => new Date((ms += 200 + random() * 4000)).toISOString();
  const common = { userType: "external", entrypoint: "cli", cwd, sessionId: session, version, gitBranch: "main" };
  const model = pick(random, models);
  /** @param {object} fields @param {object} [more] */
  const line = (fields, more = {}) => {
    const uid = uuid(random);
    const text = JSON.stringify({
      parentUuid: parent,
      isSidechain: false,
      ...fields,
      uuid: uid,
      timestamp: at(),
      ...more,
      ...common,
    });
    parent = uid;
    return text;
  };
  yield JSON.stringify({ type: "queue-operation", operation: "enqueue", timestamp: at(), sessionId: session });
  yield line(
    { attachment: { type: "skill_listing", content: prose(sentence, 4000) }, type: "attachment" },
    { rendered: [{ content: prose(sentence, 4000) }] },
  );
  yield JSON.stringify({
    type: "api-request-shape",
    sessionId: session,
    shape: { system: [{ type: "text", text: prose(sentence, 20_000) }] },
  });
  for (;;) {
    yield line({
      promptId: uuid(random),
      type: "user",
      message: { role: "user", content: `${sentence()} ${sentence()}` },
    });
    for (let round = 0; round < 12; round++) {
      const id = `msg_${uuid(random).replaceAll("-", "").slice(0, 24)}`;
      const usage = {
        input_tokens: Math.floor(random() * 3000),
        cache_creation_input_tokens: Math.floor(random() * 4000),
        cache_read_input_tokens: Math.floor(random() * 90_000),
        output_tokens: Math.floor(random() * 900),
        service_tier: "standard",
      };
      const message = (/** @type {object} */ block) => ({
        id,
        type: "message",
        role: "assistant",
        model,
        content: [block],
        stop_reason: "tool_use",
        stop_sequence: null,
        usage,
      });
      const requestId = `req_${id.slice(4)}`;
      if (random() < 0.6)
        yield line({
          message: message({ type: "thinking", thinking: "", signature: uuid(random).repeat(20) }),
          requestId,
          type: "assistant",
        });
      if (random() < 0.7)
        yield line({
          message: message({ type: "text", text: prose(sentence, 200 + random() * 900) }),
          requestId,
          type: "assistant",
        });
      const call = `toolu_${uuid(random).replaceAll("-", "").slice(0, 24)}`;
      const { name, input, output, data } = toolCall(random, sentence, cwd);
      yield line({ message: message({ type: "tool_use", id: call, name, input }), requestId, type: "assistant" });
      const failed = random() < 0.06;
      const result = { tool_use_id: call, type: "tool_result", content: output, is_error: failed };
      yield line(
        { promptId: uuid(random), type: "user", message: { role: "user", content: [result] } },
        { toolUseResult: failed ? `Error: ${output}` : data },
      );
    }
    yield JSON.stringify({ type: "last-prompt", lastPrompt: sentence(), leafUuid: parent, sessionId: session });
  }
}

/**
 * @param {() => number} random
 * @param {() => string} sentence
 * @param {string} cwd
 */
function toolCall(random, sentence, cwd) {
  const kind = random();
  const file = `${cwd}/src/${sentence().split(" ").slice(0, 2).join("/").toLowerCase()}.ts`;
  if (kind < 0.4) {
    const content = code(random, sentence, 1000 + random() * 9000);
    const numbered = content
      .split("\n")
      .map((text, at) => `${String(at + 1).padStart(6)}→${text}`)
      .join("\n");
    return {
      name: "Read",
      input: { file_path: file },
      output: numbered,
      data: { type: "text", file: { filePath: file, content, numLines: 80 } },
    };
  }
  if (kind < 0.7) {
    const output = prose(sentence, 100 + random() * 4000);
    const command = `npm test -- ${file} && git diff --stat`;
    return {
      name: "Bash",
      input: { command, description: sentence() },
      output,
      data: { stdout: output, stderr: "", interrupted: false },
    };
  }
  const original = code(random, sentence, 3000 + random() * 9000);
  const input = { file_path: file, old_string: code(random, sentence, 400), new_string: code(random, sentence, 600) };
  const output = `The file ${file} has been updated.\n${code(random, sentence, 800)}`;
  return {
    name: "Edit",
    input,
    output,
    data: { ...input, originalFile: original, structuredPatch: [{ lines: original.split("\n").slice(0, 12) }] },
  };
}

/** @param {() => string} sentence @param {number} chars */
function prose(sentence, chars) {
  let text = "";
  while (text.length < chars) text += `${sentence()}\n`;
  return text;
}

/** @param {() => number} random @param {() => string} sentence @param {number} chars */
function code(random, sentence, chars) {
  let text = "";
  while (text.length < chars) {
    const [one = "a", two = "b", three = "c"] = sentence().toLowerCase().split(" ");
    text += `${"  ".repeat(Math.floor(random() * 4))}const ${one} = ${two}("${three}", { ${one}: ${Math.floor(random() * 100)} });\n`;
  }
  return text;
}

/** @param {() => number} random */
function uuid(random) {
  const hex = Array.from({ length: 4 }, () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, "0"),
  ).join("");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}
