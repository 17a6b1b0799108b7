import { apiTokenForm } from "../contract/api-token.ts";
import { contextRules } from "./context-rules.ts";
import type { SecretRule } from "./rule.ts";

const hasDigit = (secret: string): boolean => /\d/.test(secret);

/** A Discord token begins with a user id in base64: the third character shows a digit, so only ten are possible. */
const discordHints = ["MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"].flatMap((two) =>
  Array.from("AEIMQUYcgk", (third) => two + third),
);

const gitlabKinds = ["pat", "dt", "rt", "rtr", "ptt", "ft", "imt", "agent", "oas", "cbt", "soat", "ffct", "wt"];

/** Secrets that show themselves by the form their issuer gave them. */
const issuedRules: SecretRule[] = [
  // Clew's own: one that an agent has in its environment, and one for programs that call the daemon
  { id: "clew-token", hints: ["clew_mcp_"], pattern: /clew_mcp_[\w-]{43}/ },
  { id: "clew-token", hints: ["clew_hook_"], pattern: /clew_hook_[\w-]{43}/ },
  // and one that an agent goes on with its step by
  { id: "clew-token", hints: ["clew_next_"], pattern: /clew_next_[\w-]{1,3000}\.[\w-]{43}/ },
  { id: "clew-token", hints: ["clew_api_"], pattern: apiTokenForm },

  // Code hosts and registries
  { id: "github-token", hints: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], pattern: /gh[pousr]_[A-Za-z0-9]{36,255}/ },
  { id: "github-token", hints: ["ghs_"], pattern: /ghs_\d{1,12}_eyJ[\w-]{8,2000}\.[\w-]{8,4000}\.[\w-]{8,2000}/ },
  { id: "github-token", hints: ["github_pat_"], pattern: /github_pat_\w{36,255}/ },
  {
    id: "gitlab-token",
    hints: gitlabKinds.map((kind) => `gl${kind}-`),
    pattern: /gl[a-z]{2,5}-[\w-]{20,300}(?:\.[0-9a-z]{2,9}){0,2}/,
  },
  { id: "gitlab-token", hints: ["GR1348941"], pattern: /GR1348941[\w-]{20,60}/ },
  { id: "bitbucket-token", hints: ["ATBB"], pattern: /ATBB[A-Za-z0-9]{32}/, wordStart: true },
  { id: "atlassian-token", hints: ["ATATT3", "ATCTT3"], pattern: /AT[AC]TT3[\w=-]{60,300}/ },
  { id: "npm-token", hints: ["npm_"], pattern: /npm_[A-Za-z0-9]{36}/ },
  { id: "pypi-token", hints: ["pypi-Ag"], pattern: /pypi-Ag[\w-]{50,1000}/ },
  { id: "rubygems-token", hints: ["rubygems_"], pattern: /rubygems_[0-9a-f]{48}/ },
  { id: "docker-token", hints: ["dckr_pat_", "dckr_oat_"], pattern: /dckr_[po]at_[\w-]{20,200}/ },

  // Clouds and hosting
  {
    id: "aws-access-key-id",
    hints: ["AKIA", "ASIA", "ABIA", "ACCA", "A3T"],
    pattern: /(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}/,
    wordStart: true,
    wordEnd: true,
  },
  { id: "google-api-key", hints: ["AIza"], pattern: /AIza[\w-]{35}/ },
  { id: "google-api-key", hints: ["AQ.Ab"], pattern: /AQ\.Ab[\w-]{40,100}/, wordStart: true },
  { id: "google-oauth-token", hints: ["ya29."], pattern: /ya29\.[\w.-]{20,2000}/, wordStart: true },
  { id: "google-oauth-token", hints: ["1//0"], pattern: /1\/\/0[\w-]{40,200}/, wordStart: true },
  { id: "google-client-secret", hints: ["GOCSPX-"], pattern: /GOCSPX-[\w-]{24,60}/ },
  { id: "digitalocean-token", hints: ["doo_v1_", "dop_v1_", "dor_v1_"], pattern: /do[opr]_v1_[0-9a-f]{64}/ },
  { id: "cloudflare-token", hints: ["cfk_", "cfut_", "cfat_"], pattern: /cf(?:k|ut|at)_[A-Za-z0-9_-]{40,80}/ },
  {
    id: "vercel-token",
    hints: ["vcp_", "vci_", "vca_", "vcr_", "vck_"],
    pattern: /vc[piark]_[A-Za-z0-9]{20,100}/,
    wordStart: true,
  },
  { id: "vercel-token", hints: ["vercel_blob_rw_"], pattern: /vercel_blob_rw_\w{20,100}/ },
  { id: "netlify-token", hints: ["nfp_"], pattern: /nfp_[A-Za-z0-9]{36,60}/, wordStart: true },
  { id: "supabase-key", hints: ["sbp_"], pattern: /sbp_(?:[a-z]{2}_)?[0-9a-f]{40}/ },
  { id: "supabase-key", hints: ["sb_secret_"], pattern: /sb_secret_[\w-]{20,80}/ },
  { id: "databricks-token", hints: ["dapi"], pattern: /dapi[0-9a-fA-F]{32}(?:-\d)?/, wordStart: true },
  { id: "vault-token", hints: ["hvs.", "hvb.", "hvr."], pattern: /hv[sbr]\.[\w-]{20,400}/, wordStart: true },
  { id: "planetscale-token", hints: ["pscale_"], pattern: /pscale_(?:tkn|pw|oauth)_[\w.-]{30,80}/ },
  { id: "doppler-token", hints: ["dp."], pattern: /dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{40,80}/, wordStart: true },
  { id: "tailscale-key", hints: ["tskey-"], pattern: /tskey-[a-z]{2,12}-[A-Za-z0-9-]{20,80}/ },
  { id: "fly-token", hints: ["fm2_", "fm1r_"], pattern: /fm[12][a-z]?_[A-Za-z0-9+/=]{60,2000}/, wordStart: true },

  // Models
  { id: "anthropic-key", hints: ["sk-ant-"], pattern: /sk-ant-[\w-]{20,300}/ },
  { id: "openai-key", hints: ["sk-"], pattern: /sk-(?!ant-)[\w-]{20,400}/, wordStart: true, accept: hasDigit },
  { id: "groq-key", hints: ["gsk_"], pattern: /gsk_[A-Za-z0-9]{40,80}/ },
  { id: "xai-key", hints: ["xai-"], pattern: /xai-[A-Za-z0-9]{60,100}/, wordStart: true },
  { id: "perplexity-key", hints: ["pplx-"], pattern: /pplx-[A-Za-z0-9]{40,80}/ },
  { id: "replicate-token", hints: ["r8_"], pattern: /r8_[A-Za-z0-9]{37}/, wordStart: true },
  { id: "huggingface-token", hints: ["hf_"], pattern: /hf_[A-Za-z0-9]{30,60}/, wordStart: true },
  { id: "huggingface-token", hints: ["api_org_"], pattern: /api_org_[A-Za-z0-9]{30,60}/, wordStart: true },

  // Messages and mail
  { id: "slack-token", hints: ["xox"], pattern: /xox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{10,400}/ },
  { id: "slack-token", hints: ["xapp-", "xwfp-"], pattern: /x(?:app|wfp)-[A-Za-z0-9-]{20,400}/ },
  {
    id: "slack-webhook",
    hints: ["hooks.slack.com/"],
    pattern: /(hooks\.slack\.com\/(?:services|workflows|triggers)\/)[A-Za-z0-9/+_-]{20,200}/i,
  },
  { id: "discord-token", hints: discordHints, pattern: /[MNO][\w-]{22,30}\.[\w-]{6,7}\.[\w-]{27,45}/, wordStart: true },
  {
    id: "discord-webhook",
    hints: ["discord.com/api/", "discordapp.com/api/"],
    pattern: /(discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{10,25}\/)[\w-]{50,100}/,
  },
  // The number in front is the bot's public id.
  { id: "telegram-token", hints: [":AA"], pattern: /(?<=\d{8})(:)AA[\w-]{32,34}/ },
  { id: "sendgrid-key", hints: ["SG."], pattern: /SG\.[\w-]{16,128}\.[\w-]{16,128}/, wordStart: true },
  {
    id: "twilio-key",
    hints: Array.from("0123456789abcdef", (digit) => `SK${digit}`),
    pattern: /SK[0-9a-f]{32}/,
    wordStart: true,
    wordEnd: true,
  },
  { id: "mailgun-key", hints: ["key-"], pattern: /key-[0-9a-z]{32}/, wordStart: true, wordEnd: true },
  { id: "brevo-key", hints: ["xkeysib-"], pattern: /xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}/ },

  // Money and shops
  {
    id: "stripe-key",
    hints: ["sk_live_", "sk_test_", "rk_live_", "rk_test_"],
    pattern: /[sr]k_(?:live|test)_[A-Za-z0-9]{10,250}/,
  },
  { id: "stripe-webhook-secret", hints: ["whsec_"], pattern: /whsec_[A-Za-z0-9+/=]{24,100}/ },
  { id: "square-token", hints: ["sq0"], pattern: /sq0(?:atp|csp)-[\w-]{22,60}/, wordStart: true },
  { id: "shopify-token", hints: ["shpat_", "shpca_", "shppa_", "shpss_"], pattern: /shp[a-z]{2}_[A-Za-z0-9]{32,64}/ },

  // Work tools
  { id: "linear-key", hints: ["lin_api_", "lin_oauth_"], pattern: /lin_(?:api|oauth)_\w{32,128}/ },
  { id: "notion-token", hints: ["ntn_"], pattern: /ntn_[A-Za-z0-9]{40,60}/, wordStart: true },
  { id: "notion-token", hints: ["secret_"], pattern: /secret_[A-Za-z0-9]{43}/, wordEnd: true },
  { id: "grafana-token", hints: ["glsa_"], pattern: /glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}/ },
  { id: "grafana-token", hints: ["glc_"], pattern: /glc_[A-Za-z0-9+/]{32,400}={0,2}/, wordStart: true },
  { id: "grafana-token", hints: ["eyJrIjoi"], pattern: /eyJrIjoi[A-Za-z0-9+/]{60,400}={0,2}/, wordStart: true },
  { id: "figma-token", hints: ["figd_", "figo_", "figu_", "figr_"], pattern: /fig[dour]_[\w-]{40,200}/ },
  { id: "sentry-token", hints: ["sntrys_", "sntryu_"], pattern: /sntry[su]_[\w+/=-]{40,400}/ },
  { id: "postman-key", hints: ["PMAK-"], pattern: /PMAK-[0-9a-f]{24}-[0-9a-f]{34}/ },
  { id: "newrelic-key", hints: ["NRAK-"], pattern: /NRAK-[A-Z0-9]{27}/ },
  { id: "pulumi-token", hints: ["pul-"], pattern: /pul-[0-9a-f]{40}/, wordStart: true },

  // Keepers of secrets
  { id: "1password-token", hints: ["ops_ey"], pattern: /ops_ey[A-Za-z0-9+/_-]{100,4000}={0,3}/ },
  {
    id: "1password-secret-key",
    hints: ["A3-"],
    pattern: /A3-[A-Z0-9]{6}(?:-[A-Z0-9]{5,11}){4,5}/,
    wordStart: true,
    accept: hasDigit,
  },
  { id: "age-secret-key", hints: ["AGE-SECRET-KEY-"], pattern: /AGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]{50,120}/i },
  {
    id: "jwt",
    hints: ["eyJ"],
    // Five parts when encrypted, three when signed.
    pattern:
      /eyJ[\w-]{8,2000}\.(?:[\w-]{0,1000}\.[\w-]{8,100}\.[\w-]{8,8000}\.[\w-]{8,100}|[\w-]{8,6000}\.[\w-]{0,2000})/,
    wordStart: true,
  },
];

/** The whole table. Where two rules find the same text, the earlier one names it. */
export const rules: readonly SecretRule[] = [...issuedRules, ...contextRules];
