import * as z from "zod";
import { ENVELOPES } from "../envelopes/index.ts";
import { LIMITS } from "../limits/limits.ts";
import { NOTICE_KINDS } from "../notify/notice.ts";
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

const Notify = z.looseObject({
  command: Texts.optional().describe("Program and arguments. It gets the notice as a line of JSON on standard input."),
  webhook: z
    .looseObject({
      url: z.string().describe("Address that gets each notice as JSON, by POST."),
      secretEnv: z
        .string()
        .describe("Name of the daemon's environment variable with the secret that signs the notices."),
    })
    .optional(),
  on: z.array(z.enum(NOTICE_KINDS)).optional().describe("Kinds of notices; all by default."),
  content: z
    .boolean()
    .optional()
    .describe("Whether a notice has the worker's name and what it says. Without it, a notice has no content."),
});

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
  bus: z
    .looseObject({
      url: z.string().optional().describe("Addresses of the NATS servers, as for `claw up --bus`."),
      cluster: z.string().optional().describe("Name of the daemons that share a log."),
      machine: z.string().optional().describe("Name of this machine in the cluster."),
      credentials: z.string().optional().describe("File with the NKEY seed or the credentials of this machine."),
      ca: z.string().optional().describe("The certificate authority of the servers, a PEM file."),
      cert: z.string().optional().describe("Certificate of this machine, a PEM file."),
      key: z.string().optional().describe("Key of that certificate, a PEM file."),
      replicas: z.int().min(1).max(5).optional().describe("Servers that keep each event."),
      separateMachines: z
        .boolean()
        .optional()
        .describe("Your word that no power cut hits a majority of these servers at once."),
      monitoring: z
        .string()
        .optional()
        .describe("Monitoring address of a server, http://host:port, which says whether the server syncs each event."),
    })
    .optional()
    .describe("The log in NATS JetStream, shared with the daemons of other machines."),
  notify: Notify.optional().describe("How a person who is away is told of workers. The daemon runs it."),
  maxOutputTokens: z.int().positive().optional().describe("Longest answer to ask a model for."),
  trustedRoots: Texts.optional().describe("Folders whose own settings may run programs. Only in your own settings."),
});

export type Settings = z.infer<typeof Settings>;
