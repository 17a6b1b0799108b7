import { engineTitles } from "../../contract/engine-settings.ts";

/** What is known of an engine's program beside how to talk with it. On the PATH it has the engine's own name. */
export interface KnownProgram {
  /** The npm package that has it. */
  package: string;
  /** The version that its adapter was written for. */
  tested: string;
  logIn: LogInSigns;
}

/** What shows a log-in, without asking the program. */
export interface LogInSigns {
  /** Variables that hold a key, or choose a service that has its own log-in. */
  variables: readonly string[];
  /** Where its files are: the variable that names the folder, and what that is without it, below the home folder. */
  folder: { variable: string; below?: string; otherwise: string };
  /** Any of these in that folder is a log-in. */
  files: readonly FileSign[];
  /** With any of these, or on this system, it may be logged in without a trace: nothing can be told then. */
  maybe?: { files?: readonly FileSign[]; on?: NodeJS.Platform | "any" };
}

/** A file, or one that holds a word. */
export type FileSign = string | { file: string; holds: string };

/** By the engine's name. An engine that is missing here is found and started, and no more is told of it. */
export const knownPrograms: Readonly<Record<string, KnownProgram>> = {
  claude: {
    package: "@anthropic-ai/claude-code",
    tested: "2.1.325",
    logIn: {
      variables: [
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_AUTH_TOKEN",
        "CLAUDE_CODE_OAUTH_TOKEN",
        "CLAUDE_CODE_USE_BEDROCK",
        "CLAUDE_CODE_USE_VERTEX",
        "CLAUDE_CODE_USE_FOUNDRY",
      ],
      folder: { variable: "CLAUDE_CONFIG_DIR", otherwise: ".claude" },
      files: [".credentials.json"],
      maybe: {
        files: [
          { file: "settings.json", holds: '"apiKeyHelper"' },
          { file: "settings.json", holds: "ANTHROPIC_" },
          { file: "settings.json", holds: "CLAUDE_CODE_USE_" },
        ],
        on: "darwin",
      },
    },
  },
  codex: {
    package: "@openai/codex",
    tested: "0.166.0",
    logIn: {
      variables: ["CODEX_API_KEY", "CODEX_ACCESS_TOKEN"],
      folder: { variable: "CODEX_HOME", otherwise: ".codex" },
      files: ["auth.json"],
      maybe: {
        files: [
          { file: "config.toml", holds: "cli_auth_credentials_store" },
          { file: "config.toml", holds: "model_provider" },
        ],
      },
    },
  },
  gemini: {
    package: "@google/gemini-cli",
    tested: "0.61.0",
    logIn: {
      variables: ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_GCA"],
      folder: { variable: "GEMINI_CLI_HOME", below: ".gemini", otherwise: ".gemini" },
      files: ["oauth_creds.json", "gemini-credentials.json", { file: ".env", holds: "_API_KEY" }],
      // It may keep its key in the system's own store of secrets.
      maybe: {
        files: [
          { file: "settings.json", holds: '"selectedType"' },
          { file: "../.env", holds: "_API_KEY" },
        ],
      },
    },
  },
  opencode: {
    package: "opencode-ai",
    tested: "1.18.33",
    logIn: {
      variables: ["OPENCODE_AUTH_CONTENT", "OPENCODE_API_KEY"],
      folder: { variable: "XDG_DATA_HOME", below: "opencode", otherwise: ".local/share/opencode" },
      files: ["auth.json"],
      // It takes the keys of many services, and has models that need none.
      maybe: { on: "any" },
    },
  },
  qwen: {
    package: "@qwen-code/qwen-code",
    tested: "0.24.4",
    logIn: {
      variables: ["OPENAI_API_KEY", "DASHSCOPE_API_KEY", "BAILIAN_CODING_PLAN_API_KEY"],
      folder: { variable: "QWEN_HOME", otherwise: ".qwen" },
      files: ["oauth_creds.json", { file: ".env", holds: "_API_KEY" }],
      maybe: {
        files: [
          { file: "settings.json", holds: '"apiKey"' },
          { file: "settings.json", holds: "_API_KEY" },
          { file: "settings.json", holds: '"selectedType"' },
          { file: "../.env", holds: "_API_KEY" },
        ],
      },
    },
  },
};

/** That an engine's program is missing, and how to get it. */
export function engineNotInstalled(name: string): string {
  return `${engineTitles[name]} is not installed: ${installCommand(knownPrograms[name]!)} puts ${name} on your PATH`;
}

export function installCommand({ package: name }: KnownProgram): string {
  return `npm install -g ${name}`;
}
