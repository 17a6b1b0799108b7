import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Engine } from "../../src/adapters/engines/engine.ts";
import { claudeEngine } from "../../src/adapters/engines/claude/engine.ts";
import { codexEngine } from "../../src/adapters/engines/codex/engine.ts";
import { engineFinder } from "../../src/adapters/engines/find-engine.ts";
import { geminiEngine } from "../../src/adapters/engines/gemini/engine.ts";
import { ended, type Live } from "../../src/adapters/engines/live-agent.fixture.ts";
import { opencodeEngine } from "../../src/adapters/engines/opencode/engine.ts";
import { qwenEngine } from "../../src/adapters/engines/qwen/engine.ts";
import type { AgentEnd } from "../../src/app/engine/agents.ts";
import { bareRemains, type BareRemains } from "../../src/contract/engine-abilities.ts";
import { answerStops } from "../../src/contract/engine.ts";
import { AnswerText, type Answer } from "../../src/engine/answer-text.ts";
import type { EngineName } from "../../tools/engines/programs.mjs";
import { describeEngines } from "./asked-engines.ts";
import { canaries, plantCanaries, type Traps } from "./canaries.ts";
import type { RecordedRequest } from "./model/record.ts";
import type { Turn } from "./model/script.ts";
import { realEnvironment, startReal } from "./real-agent.ts";
import { realEngine, type RealEngine } from "./real-engine.ts";

const clew = [process.execPath, "dist/clew.cjs"];
const engines: Record<EngineName, (env: Record<string, string>) => Engine> = {
  claude: (env) => claudeEngine(engineFinder(env, {}), clew),
  codex: (env) => codexEngine(engineFinder(env, {})),
  gemini: (env) => geminiEngine(engineFinder(env, {})),
  opencode: (env) => opencodeEngine(engineFinder(env, {}), env),
  qwen: (env) => qwenEngine(engineFinder(env, {}), clew, env),
};
const names: EngineName[] = ["claude", "codex", "gemini", "opencode", "qwen"];

/** The most characters that a prompt may have; Codex refuses longer ones. Qwen takes spaces and ends of lines off both ends of any prompt. */
const longestPrompt: Partial<Record<EngineName, number>> = { codex: 1024 * 1024 };

describeEngines(names, "a bare agent of the real", (name) => {
  test("T3 its model gets the prompt, and beside it only what the engine declares", { timeout: 180_000 }, async () => {
    await using real = await openBare(name, [{ say: ["# A `plan`\r\n", "~~~~~~\nwith two blocks 🧵"] }]);
    const traps = plantCanaries(real);
    const prompt = `Plan it, with @${join(real.folder, "README.md")} and $canary.`;
    const { end, answer, live, engine } = await ask(name, real, prompt);
    expect(end.outcome).toBe("completed");
    expect(answer).toEqual({
      text: "# A `plan`\r\n~~~~~~\nwith two blocks 🧵",
      ended: "complete",
      isContinued: false,
    });
    expect(real.model.rounds).toHaveLength(1);
    const [request] = real.model.rounds as [RecordedRequest];
    expect(modelTexts(request)).toContain(prompt);
    expect(remainsIn(request, traps)).toEqual(engine.bare);
    // What it brings beside the prompt is no book.
    expect(modelTexts(request).join("").length - prompt.length).toBeLessThan(2500);
    expect(live.events.map(({ type }) => type)).not.toContain("tool_call");
    expect(live.transcript()).not.toBe("");
    expect(existsSync(join(real.folder, "transcripts"))).toBe(true);
  });

  test("T3 a prompt of 2 MB with all kinds of characters arrives byte for byte", { timeout: 180_000 }, async () => {
    await using real = await openBare(name, [{ say: "Read." }]);
    const prompt = oddText(longestPrompt[name] ?? 2 * 1024 * 1024);
    const { answer } = await ask(name, real, prompt);
    expect(answer).toMatchObject({ text: "Read.", ended: "complete" });
    const arrived = name === "qwen" ? prompt.trim() : prompt;
    expect(modelTexts(real.model.rounds[0]!).includes(arrived)).toBe(true);
  });

  test("T3 a prompt that looks like a command of the engine is none, or is refused", async () => {
    await using real = await openBare(name, [{ say: "Read." }]);
    const prompt = "/help me\n!ls\n#note";
    const { answer, end, engine } = await ask(name, real, prompt);
    if (engine.commandSigns?.includes("/")) {
      expect(end.verdict).toMatchObject({ error: expect.stringContaining("a command of its own") as string });
      return expect(real.model.requests).toEqual([]);
    }
    expect(answer).toMatchObject({ text: "Read.", ended: "complete" });
    expect(modelTexts(real.model.rounds[0]!).join("")).toContain(prompt);
  });

  for (const stop of answerStops) {
    test(`T3 an answer that ended by ${stop} is told apart, unless the engine is known to hide it`, async () => {
      await using real = await openBare(name, always({ say: "Half of it", stop }));
      const { answer, engine } = await ask(name, real, "Plan it.");
      const told = stop === "refusal" ? "refused" : "cut_off";
      expect(answer.ended).toBe(engine.untoldStops.includes(stop) ? "complete" : told);
      expect(answer.text).toMatch(/^(?:Half of it)+$/);
    });
  }

  test("T3 an error of the model's API is a failure", { timeout: 180_000 }, async () => {
    const error = { status: 400, type: "invalid_request_error", message: "this is too much" };
    await using real = await openBare(name, always({ say: "", fault: { error } }));
    const { answer } = await ask(name, real, "Plan it.");
    expect(answer.ended).toBe("failed");
    expect(answer.problem).toContain("this is too much");
  });
});

/** Whatever the model is asked. */
function always(turn: Turn): Turn[] {
  return [{ ...turn, when: "" }];
}

async function openBare(name: EngineName, turns: Turn[]): Promise<RealEngine> {
  const real = await realEngine(name, { isBare: true, turns });
  // The tests' own trust is for the repository.
  delete real.env["GEMINI_CLI_TRUST_WORKSPACE"];
  return real;
}

async function ask(
  name: EngineName,
  real: RealEngine,
  prompt: string,
): Promise<{ end: AgentEnd; answer: Answer; live: Live; engine: Engine }> {
  const engine = engines[name](realEnvironment(real));
  const task = { bare: true, level: "read", until: "answer", prompt, model: real.modelName } as const;
  const live = startReal(real, engine, task);
  const end = await ended(live);
  const answer = new AnswerText();
  for (const event of live.events) answer.add(event);
  return { end, answer: answer.answer, live, engine };
}

/** What of a request the model reads, but for tools: each text as it stands. */
function modelTexts({ body }: RecordedRequest): string[] {
  const { system, messages, instructions, input, contents, systemInstruction } = body;
  return [system, messages, instructions, input, contents, systemInstruction].flatMap((part) => texts(part));
}

const texts = (value: unknown, key = "text"): string[] => {
  if (typeof value === "string") return ["text", "content", "system", "instructions"].includes(key) ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => texts(inner, Array.isArray(value) ? key : name));
};

function remainsIn(request: RecordedRequest, traps: Traps): BareRemains[] {
  const read = modelTexts(request).join("\n");
  const tools = JSON.stringify(request.body["tools"] ?? []);
  const has = (word: string): boolean => read.includes(word) || tools.includes(word);
  expect(has(canaries.skills)).toBe(false);
  const found: Record<BareRemains, boolean> = {
    system_prompt: /^You are an? |^## Rule/m.test(read),
    tools: tools.includes('"name"'),
    user_memory: has(canaries.user_memory),
    project_memory: has(canaries.project_memory),
    hooks: has(canaries.hooks) || traps.sprung().includes("hook"),
    mcp: has(canaries.mcp) || traps.sprung().includes("server"),
    environment: read.includes(process.platform),
  };
  return bareRemains.filter((name) => found[name]);
}

/** Backticks, tildes, control characters, ends of lines, characters beyond 16 bits; no secret, and never the same twice. */
function oddText(length: number): string {
  const line = (at: number): string =>
    `${at} \`\`\`\` ~~~~~~ \u0000\u0001\b\u001b[31m\u007f\u0085\u2028\u2029 "quoted" \\n </text> 🧵𝔘é\r\n\t$y {{z}}\n`;
  let text = "A plan with @x, please.\n";
  for (let at = 0; text.length < length - 200; at++) text += line(at);
  return `${text}${"~".repeat(length - text.length - 1)}\n`;
}
