import * as z from "zod";
import { ENVELOPES } from "../envelopes/index.ts";
import { LIMITS } from "../limits/limits.ts";
import { PERMISSION_MODES } from "../permissions/permission-modes.ts";
import { PROVIDER_KINDS, SANDBOX_CHOICES } from "./settings-words.ts";

export const PermissionMode = z.enum(PERMISSION_MODES);

const Texts = z.array(z.string());

const Permissions = z.looseObject({
  defaultMode: PermissionMode.optional().describe("Mode when no flag names one."),
  allow: Texts.optional().describe("Calls that need no question: `tool`, `tool(text)` or `tool(prefix:*)`."),
  ask: Texts.optional().describe("Calls that need a person's consent."),
  deny: Texts.optional().describe("Calls that are refused, whatever else is said."),
  additionalDirectories: Texts.optional().describe("Folders that count as part of the workspace."),
});

const ProviderSettings = z.looseObject({
  kind: z.enum(PROVIDER_KINDS).describe("The API it speaks."),
  baseUrl: z.string(),
  apiKeyEnv: z.string().optional().describe("The variable its key is in."),
  models: Texts.optional().describe("Model ids that are asked for here."),
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
    id: z.string().min(1).describe("Its name in the record."),
    decision: z.enum(["approve", "reject"]),
    harness: z.string().optional().describe("Agent of the worker."),
    worker: z.string().optional().describe("Name of the worker; `*` stands for anything."),
    tool: z.string().optional().describe("Tool that is asked for; `*` stands for anything."),
    command: z.string().optional().describe("The whole command, or its first words and then ` *`."),
    cwd: z.string().optional().describe("Folder it is asked for; `/*` at its end means everything below too."),
    request_type: z.string().optional().describe("What sort of answer is wanted."),
    chosen: z.string().optional().describe("Option to choose."),
  })
  .describe("An answer that is given beforehand; everything it names has to fit.");

/** The keys a settings file may hold. Unknown keys are reported, not refused. */
export const Settings = z.looseObject({
  $schema: z.string().optional(),
  model: z.string().optional().describe("Model to use."),
  envelope: z.enum(ENVELOPES).optional().describe("Default of --envelope."),
  outputFormat: z.enum(["text", "json"]).optional().describe("Default of --output-format."),
  permissions: Permissions.optional().describe("What a run may do."),
  hooks: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("Programs to run by event: PreToolUse, PostToolUse, PostToolUseFailure, SessionStart, Stop."),
  mcpServers: z.record(z.string(), z.unknown()).optional().describe("Servers of tools, by name."),
  sandbox: z.enum(SANDBOX_CHOICES).optional().describe("Whether shell commands are confined."),
  aliases: z.record(z.string(), z.string()).optional().describe("Other names of models."),
  providers: z.record(z.string(), ProviderSettings).optional().describe("APIs of models, by name."),
  prices: z.record(z.string(), Price).optional().describe("Dollars for a million tokens, by model id."),
  pricesFile: z
    .string()
    .optional()
    .describe(
      "A file with `as_of`, a date, and `prices` as above; relative to your own settings. `prices` come first.",
    ),
  env: z.record(z.string(), z.string()).optional().describe("Variables that tools get."),
  approvals: z
    .looseObject({
      rules: z.array(ApprovalRule).max(LIMITS.approvalRules).optional().describe("The first that fits answers."),
    })
    .optional()
    .describe("Answers to what workers ask for."),
  compaction: z
    .looseObject({ thresholdTokens: z.int().positive().optional().describe("Size of a request that is too much.") })
    .optional()
    .describe("When a conversation is shortened."),
  maxOutputTokens: z.int().positive().optional().describe("Longest answer to ask a model for."),
  trustedRoots: Texts.optional().describe("Folders whose own settings may run programs. Only in your own settings."),
});

export type Settings = z.infer<typeof Settings>;
