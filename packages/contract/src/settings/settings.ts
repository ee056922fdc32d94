import * as z from "zod";
import { ENVELOPES } from "../envelopes/index.ts";
import { LIMITS } from "../limits/limits.ts";
import { PERMISSION_MODES } from "../permissions/permission-table.ts";
import { PROVIDER_KINDS, SANDBOX_CHOICES } from "./settings-words.ts";

export const PermissionModeChoice = z.enum(PERMISSION_MODES);

const Texts = z.array(z.string());

const Permissions = z.looseObject({
  defaultMode: PermissionModeChoice.optional().describe("Permission mode when no flag sets one."),
  allow: Texts.optional().describe("Calls that need no question: `tool`, `tool(text)` or `tool(prefix:*)`."),
  ask: Texts.optional().describe("Calls that need a person's consent."),
  deny: Texts.optional().describe("Calls that are refused, whatever else is said."),
  additionalDirectories: Texts.optional().describe("Folders that count as part of the workspace."),
});

const ProviderSettings = z.looseObject({
  kind: z.enum(PROVIDER_KINDS).describe("The API the provider speaks."),
  baseUrl: z.string(),
  apiKeyEnv: z.string().optional().describe("Name of the environment variable that holds the key."),
  models: Texts.optional().describe("Ids of the models this provider serves."),
});

const TokenPrice = z.looseObject({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  cacheRead: z.number().nonnegative().optional(),
  cacheWrite: z.number().nonnegative().optional(),
});

const Price = TokenPrice.extend({
  above: z
    .array(TokenPrice.extend({ tokens: z.number().nonnegative() }))
    .max(LIMITS.priceTiers)
    .optional()
    .describe("Other prices for requests whose input is larger than `tokens`, the smallest first."),
});

const ApprovalRule = z
  .strictObject({
    id: z.string().min(1).describe("Name of the rule, shown with the approvals it answers."),
    decision: z.enum(["approve", "reject"]),
    harness: z.string().optional().describe("Agent of the worker."),
    worker: z.string().optional().describe("Name of the worker; `*` stands for anything."),
    tool: z.string().optional().describe("Tool that is asked for; `*` stands for anything."),
    command: z.string().optional().describe("The whole command, or its first words and then ` *`."),
    cwd: z.string().optional().describe("Folder the call runs in; `/*` at the end includes every folder below."),
    request_type: z.string().optional().describe("Type of answer the worker wants, for example `decision`."),
    chosen: z.string().optional().describe("Option to choose."),
  })
  .describe("An answer given beforehand to each request that matches every field of the rule.");

/** The keys a settings file may hold. Unknown keys are reported, not refused. */
export const Settings = z.looseObject({
  $schema: z.string().optional(),
  $version: z.int().min(1).optional().describe("Version of the file's format; 1 when absent."),
  model: z.string().optional().describe("Model of a run when no flag names one."),
  envelope: z.enum(ENVELOPES).optional().describe("Default of --envelope."),
  outputFormat: z.enum(["text", "json"]).optional().describe("Default of --output-format."),
  permissions: Permissions.optional().describe("What a run may do."),
  hooks: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("Programs to run by event: PreToolUse, PostToolUse, PostToolUseFailure, SessionStart, Stop."),
  mcpServers: z.record(z.string(), z.unknown()).optional().describe("MCP servers, by name."),
  sandbox: z.enum(SANDBOX_CHOICES).optional().describe("Whether shell commands run in the sandbox."),
  aliases: z.record(z.string(), z.string()).optional().describe("Short names for models."),
  providers: z.record(z.string(), ProviderSettings).optional().describe("Model providers, by name."),
  prices: z.record(z.string(), Price).optional().describe("Dollars for a million tokens, by model id."),
  pricesFile: z
    .string()
    .optional()
    .describe(
      "A file with `as_of`, a date, and `prices` as above; relative to your own settings. `prices` come first.",
    ),
  env: z.record(z.string(), z.string()).optional().describe("Environment variables for tools."),
  mcp: z
    .object({
      passEnv: Texts.optional().describe(
        "Names of variables with secrets that a daemon gets, and its workers, when `claw mcp serve` starts it.",
      ),
    })
    .optional()
    .describe("The MCP server."),
  approvals: z
    .looseObject({
      rules: z
        .array(ApprovalRule)
        .max(LIMITS.approvalRules)
        .optional()
        .describe("Rules in order: the first rule that matches answers."),
    })
    .optional()
    .describe("Rules that answer approvals without a person."),
  compaction: z
    .looseObject({
      thresholdTokens: z
        .int()
        .positive()
        .optional()
        .describe("Tokens of a request above which the conversation is compacted."),
    })
    .optional()
    .describe("When a long conversation is compacted."),
  maxOutputTokens: z.int().positive().optional().describe("Longest answer to ask a model for."),
  trustedRoots: Texts.optional().describe("Folders whose own settings may run programs. Only in your own settings."),
});

export type Settings = z.infer<typeof Settings>;
