import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { EngineName } from "../../tools/engines/programs.mjs";

/** What sends an engine to a model on loopback: variables, and files below its home. */
export interface Settings {
  readonly model: string;
  readonly env: Record<string, string>;
  readonly files: Record<string, string>;
}

/** Keys are asked for, and then checked by no one. */
const key = "key-for-loopback";

const settings: Record<EngineName, (url: string) => Settings> = {
  claude: (url) => ({
    model: "claude-opus-5-5",
    env: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: key,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      // As root it bypasses permissions only in what it takes for a sandbox.
      IS_SANDBOX: "1",
    },
    files: {},
  }),
  codex: (url) => ({
    model: "gpt-5.5",
    env: { CLEW_TEST_KEY: key },
    files: { ".codex/config.toml": codexConfig(url) },
  }),
  gemini: (url) => ({
    model: "gemini-2.5-pro",
    env: {
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_API_KEY: key,
      GEMINI_CLI_TRUST_WORKSPACE: "true",
      // Its launcher passes no signals on.
      GEMINI_CLI_NO_RELAUNCH: "true",
    },
    files: {
      ".gemini/settings.json": JSON.stringify({
        security: { auth: { selectedType: "gemini-api-key" } },
        general: { enableAutoUpdate: false, disableAutoUpdate: true },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
      }),
    },
  }),
  qwen: (url) => ({
    model: "qwen3-coder-plus",
    env: {
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_API_KEY: key,
      OPENAI_MODEL: "qwen3-coder-plus",
      QWEN_CODE_NO_RELAUNCH: "true",
    },
    files: {
      ".qwen/settings.json": JSON.stringify({
        security: { auth: { selectedType: "openai" } },
        general: { enableAutoUpdate: false, disableAutoUpdate: true },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        // It would ask the model, with all tools, what a person may want next.
        ui: { enableFollowupSuggestions: false },
        memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
      }),
    },
  }),
  opencode: (url) => ({
    model: "loopback/model",
    env: {
      OPENCODE_DISABLE_AUTOUPDATE: "true",
      OPENCODE_DISABLE_MODELS_FETCH: "true",
      OPENCODE_DISABLE_DEFAULT_PLUGINS: "true",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "true",
    },
    files: { ".config/opencode/opencode.json": JSON.stringify(opencodeConfig(url)) },
  }),
};

export function settingsOf(name: EngineName, url: string): Settings {
  return settings[name](url);
}

export function writeSettings(home: string, { files }: Settings): void {
  for (const [path, content] of Object.entries(files)) {
    const file = join(home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

function codexConfig(url: string): string {
  return `model = "gpt-5.5"
model_provider = "loopback"
check_for_update_on_startup = false

[model_providers.loopback]
name = "loopback"
base_url = "${url}/v1"
env_key = "CLEW_TEST_KEY"
wire_api = "responses"

[analytics]
enabled = false

[features]
plugins = false
apps = false
`;
}

function opencodeConfig(url: string) {
  return {
    autoupdate: false,
    share: "disabled",
    model: "loopback/model",
    small_model: "loopback/model",
    provider: {
      loopback: {
        npm: "@ai-sdk/openai-compatible",
        name: "loopback",
        options: { baseURL: `${url}/v1`, apiKey: key },
        models: { model: { name: "model", tool_call: true, limit: { context: 200_000, output: 16_000 } } },
      },
    },
  };
}
