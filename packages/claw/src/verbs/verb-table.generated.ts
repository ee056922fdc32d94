// Made by `npm run generate`. Edit the verb's contract instead.
import type { FieldSpec, VerbSpec } from "@claw/contract";

/** Flags that every call takes. */
export const GLOBAL_FIELDS: readonly FieldSpec[] = [
 {
  "name": "outputFormat",
  "type": "enum",
  "required": false,
  "description": "Form of the answer; also CLAW_OUTPUT_FORMAT.",
  "flag": "output-format",
  "default": "text",
  "values": [
   "text",
   "json"
  ],
  "ignoreCase": true,
  "error": "INVALID_OUTPUT_FORMAT"
 },
 {
  "name": "envelope",
  "type": "enum",
  "required": false,
  "description": "Shape of a JSON answer and meaning of exits; also CLAW_ENVELOPE.",
  "flag": "envelope",
  "default": "claw",
  "values": [
   "claw",
   "flat",
   "response"
  ],
  "ignoreCase": true
 },
 {
  "name": "cwd",
  "type": "string",
  "required": false,
  "description": "Folder to work in.",
  "flag": "cwd",
  "short": "C",
  "aliases": [
   "directory"
  ]
 },
 {
  "name": "timeoutSeconds",
  "type": "number",
  "required": false,
  "description": "End the command after this time.",
  "flag": "timeout-seconds",
  "min": 0
 },
 {
  "name": "quiet",
  "type": "boolean",
  "required": false,
  "description": "Print the answer and nothing beside it.",
  "flag": "quiet",
  "short": "q",
  "default": false
 },
 {
  "name": "verbose",
  "type": "boolean",
  "required": false,
  "description": "Print more about errors.",
  "flag": "verbose",
  "short": "v",
  "default": false
 },
 {
  "name": "noColor",
  "type": "boolean",
  "required": false,
  "description": "Print without colours; also NO_COLOR.",
  "flag": "no-color",
  "default": false
 },
 {
  "name": "help",
  "type": "boolean",
  "required": false,
  "description": "Explain the command.",
  "flag": "help",
  "short": "h",
  "default": false
 },
 {
  "name": "version",
  "type": "boolean",
  "required": false,
  "description": "Print the version.",
  "flag": "version",
  "short": "V",
  "default": false
 }
];

/** Every verb, without its schemas. */
export const VERB_SPECS: readonly VerbSpec[] = [
 {
  "name": "abort",
  "summary": "Stop a worker; what it has done so far is kept.",
  "effect": "write",
  "fields": [
   {
    "name": "id",
    "type": "string",
    "required": true,
    "description": "Worker by id or name.",
    "positional": 0,
    "minLength": 1,
    "maxLength": 256
   },
   {
    "name": "reason",
    "type": "string",
    "required": false,
    "description": "Why; the worker is told.",
    "flag": "reason",
    "default": "stopped by claw abort",
    "minLength": 1
   },
   {
    "name": "wait",
    "type": "enum",
    "required": false,
    "description": "How far it has to come before the answer.",
    "flag": "wait",
    "default": "applied",
    "values": [
     "none",
     "accepted",
     "submitted",
     "acked",
     "applied"
    ]
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "required": false,
    "description": "Say what would happen and change nothing.",
    "flag": "dry-run",
    "default": false
   },
   {
    "name": "idempotencyKey",
    "type": "string",
    "required": false,
    "description": "Do it once: a repeated call with this key answers with the first result.",
    "flag": "idempotency-key",
    "minLength": 1,
    "maxLength": 128
   }
  ],
  "errors": [
   "DAEMON_NOT_RUNNING",
   "WORKER_NOT_FOUND",
   "WORKER_ENDED",
   "COMMAND_EXPIRED",
   "COMMAND_REFUSED",
   "PUBLISH_NOT_STORED",
   "BUS_INCOMPATIBLE",
   "BUS_REFUSED",
   "BUS_UNREACHABLE",
   "TOKEN_INVALID",
   "TOKEN_MISSING"
  ],
  "examples": [
   {
    "description": "Stop a worker",
    "command": "claw abort worker --wait none"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": false,
  "unlimited": false,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "accept",
  "summary": "Accept what a worker reported.",
  "effect": "write",
  "fields": [
   {
    "name": "worker",
    "type": "string",
    "required": true,
    "description": "Id or name of the worker.",
    "positional": 0
   },
   {
    "name": "note",
    "type": "string",
    "required": false,
    "description": "What to say about it in the record.",
    "flag": "note"
   },
   {
    "name": "yes",
    "type": "boolean",
    "required": false,
    "description": "Although something speaks against it.",
    "flag": "yes",
    "short": "y",
    "default": false
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "required": false,
    "description": "Say what would happen and change nothing.",
    "flag": "dry-run",
    "default": false
   },
   {
    "name": "idempotencyKey",
    "type": "string",
    "required": false,
    "description": "Do it once: a repeated call with this key answers with the first result.",
    "flag": "idempotency-key",
    "minLength": 1,
    "maxLength": 128
   }
  ],
  "errors": [
   "DAEMON_NOT_RUNNING",
   "BUS_INCOMPATIBLE",
   "BUS_REFUSED",
   "BUS_UNREACHABLE",
   "TOKEN_INVALID",
   "TOKEN_MISSING",
   "WORKER_NOT_FOUND",
   "WORKER_NOT_REPORTED",
   "CONFIRMATION_REQUIRED",
   "PUBLISH_NOT_STORED"
  ],
  "examples": [
   {
    "description": "By the name of the worker",
    "command": "claw accept fixer"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": false,
  "unlimited": false,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "approvals",
  "summary": "List what workers ask for, and what exactly.",
  "effect": "read",
  "fields": [
   {
    "name": "all",
    "type": "boolean",
    "required": false,
    "description": "Also what was answered or is over.",
    "flag": "all",
    "default": false
   }
  ],
  "errors": [
   "DAEMON_NOT_RUNNING",
   "BUS_INCOMPATIBLE",
   "BUS_REFUSED",
   "BUS_UNREACHABLE",
   "TOKEN_INVALID",
   "TOKEN_MISSING"
  ],
  "examples": [
   {
    "description": "What waits for an answer",
    "command": "claw approvals"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": false,
  "unlimited": false,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "approve",
  "summary": "Approve what a worker asks for.",
  "effect": "write",
  "fields": [
   {
    "name": "approval",
    "type": "string",
    "required": false,
    "description": "Id of the approval or its beginning, or a worker that asks for one thing only.",
    "positional": 0
   },
   {
    "name": "choose",
    "type": "string",
    "required": false,
    "description": "Option to choose, where there are several.",
    "flag": "choose"
   },
   {
    "name": "reason",
    "type": "string",
    "required": false,
    "description": "Why, for the worker and the record.",
    "flag": "reason"
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "required": false,
    "description": "Say what would happen and change nothing.",
    "flag": "dry-run",
    "default": false
   },
   {
    "name": "idempotencyKey",
    "type": "string",
    "required": false,
    "description": "Do it once: a repeated call with this key answers with the first result.",
    "flag": "idempotency-key",
    "minLength": 1,
    "maxLength": 128
   }
  ],
  "errors": [
   "DAEMON_NOT_RUNNING",
   "BUS_INCOMPATIBLE",
   "BUS_REFUSED",
   "BUS_UNREACHABLE",
   "TOKEN_INVALID",
   "TOKEN_MISSING",
   "APPROVAL_NOT_FOUND",
   "APPROVAL_ANSWERED",
   "APPROVAL_CHANGED",
   "APPROVAL_EXPIRED",
   "WORKER_ENDED",
   "BUDGET_EXCEEDED",
   "PUBLISH_NOT_STORED"
  ],
  "examples": [
   {
    "description": "One of several options",
    "command": "claw approve fixer --choose B"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": false,
  "unlimited": false,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "attach",
  "summary": "Work in a terminal of the daemon, and leave it without ending what runs there.",
  "effect": "write",
  "fields": [
   {
    "name": "id",
    "type": "string",
    "required": true,
    "description": "A terminal's id, or the id or name of a worker that has one.",
    "positional": 0
   },
   {
    "name": "detachKey",
    "type": "string",
    "required": false,
    "description": "Key that leaves the terminal: ^ and a capital letter or one of [\\]^_, for Ctrl with it.",
    "flag": "detach-key",
    "default": "^\\",
    "pattern": "^\\^[A-Z[\\\\\\]^_]$"
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "required": false,
    "description": "Say what would happen and change nothing.",
    "flag": "dry-run",
    "default": false
   },
   {
    "name": "idempotencyKey",
    "type": "string",
    "required": false,
    "description": "Do it once: a repeated call with this key answers with the first result.",
    "flag": "idempotency-key",
    "minLength": 1,
    "maxLength": 128
   }
  ],
  "errors": [
   "INTERACTIVE_ONLY",
   "TERMINAL_NOT_FOUND",
   "TERMINAL_HOST_FAILED"
  ],
  "examples": [
   {
    "description": "What would be attached to, on a terminal",
    "command": "claw attach 1 --dry-run"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": false,
  "unlimited": true,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "bootstrap-graph",
  "summary": "List what happens, in order, until a call is at its work and a model is asked.",
  "effect": "read",
  "fields": [],
  "errors": [],
  "examples": [
   {
    "description": "For a program",
    "command": "claw bootstrap-graph --output-format json"
   }
  ],
  "cacheable": false,
  "anywhere": true,
  "streams": false,
  "unlimited": false,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "bootstrap",
  "summary": "Look at the surroundings, route a prompt, run one turn and store it.",
  "effect": "write",
  "fields": [
   {
    "name": "prompt",
    "type": "string",
    "required": true,
    "description": "What the turn is about.",
    "positional": 0
   },
   {
    "name": "limit",
    "type": "integer",
    "required": false,
    "description": "How many matches to return.",
    "flag": "limit",
    "default": 5,
    "min": 0,
    "max": 10000
   },
   {
    "name": "model",
    "type": "string",
    "required": false,
    "description": "Model to ask: an id, an alias, provider/id, or scripted[:FILE].",
    "flag": "model",
    "error": "INVALID_MODEL"
   },
   {
    "name": "permissionMode",
    "type": "enum",
    "required": false,
    "description": "What tools may do without asking.",
    "flag": "permission-mode",
    "values": [
     "read-only",
     "workspace-write",
     "danger-full-access"
    ],
    "error": "INVALID_PERMISSION_MODE"
   },
   {
    "name": "allowedTools",
    "type": "array",
    "required": false,
    "description": "Offer these tools only; names or aliases, separated by commas.",
    "flag": "allowed-tools",
    "aliases": [
     "allowedTools"
    ]
   },
   {
    "name": "maxBudgetUsd",
    "type": "number",
    "required": false,
    "description": "Stop before the run could cost more than this.",
    "flag": "max-budget-usd",
    "min": 0
   },
   {
    "name": "appendSystemPrompt",
    "type": "string",
    "required": false,
    "description": "Text to add to the system prompt.",
    "flag": "append-system-prompt"
   },
   {
    "name": "mcpConfig",
    "type": "array",
    "required": false,
    "description": "MCP servers to use besides: a file, or JSON with mcpServers.",
    "flag": "mcp-config",
    "whole": true
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "required": false,
    "description": "Say what would happen and change nothing.",
    "flag": "dry-run",
    "default": false
   },
   {
    "name": "idempotencyKey",
    "type": "string",
    "required": false,
    "description": "Do it once: a repeated call with this key answers with the first result.",
    "flag": "idempotency-key",
    "minLength": 1,
    "maxLength": 128
   }
  ],
  "errors": [
   "CONFIG_INVALID",
   "CONTEXT_WINDOW_EXCEEDED",
   "INVALID_MODEL",
   "INVALID_PERMISSION_MODE",
   "INVALID_SESSION_ID",
   "INVALID_TOOL_NAME",
   "MCP_CONFIG_INVALID",
   "MCP_SERVER_UNAVAILABLE",
   "MISSING_PROMPT",
   "MODEL_SCRIPT_INVALID",
   "MODEL_SCRIPT_NOT_FOUND",
   "PAYMENT_REQUIRED",
   "PERMISSION_DENIED",
   "RATE_LIMIT_EXCEEDED",
   "REQUEST_TOO_LARGE",
   "RETRIES_EXHAUSTED",
   "SESSION_LOCKED",
   "TOKEN_EXPIRED",
   "TOKEN_INVALID",
   "TOKEN_MISSING",
   "UPSTREAM_REJECTED",
   "UPSTREAM_UNAVAILABLE",
   "UPSTREAM_UNREACHABLE"
  ],
  "examples": [
   {
    "description": "Without a key",
    "command": "claw bootstrap hello --model scripted"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": false,
  "unlimited": true,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "chat",
  "summary": "Work with claw's own agent in an interactive session. The same as claw alone on a terminal.",
  "effect": "write",
  "fields": [
   {
    "name": "model",
    "type": "string",
    "required": false,
    "description": "Model to ask: an id, an alias, provider/id, or scripted[:FILE].",
    "flag": "model",
    "error": "INVALID_MODEL"
   },
   {
    "name": "permissionMode",
    "type": "enum",
    "required": false,
    "description": "What tools may do without asking.",
    "flag": "permission-mode",
    "values": [
     "read-only",
     "workspace-write",
     "danger-full-access"
    ],
    "error": "INVALID_PERMISSION_MODE"
   },
   {
    "name": "allowedTools",
    "type": "array",
    "required": false,
    "description": "Offer these tools only; names or aliases, separated by commas.",
    "flag": "allowed-tools",
    "aliases": [
     "allowedTools"
    ]
   },
   {
    "name": "maxBudgetUsd",
    "type": "number",
    "required": false,
    "description": "Stop before the run could cost more than this.",
    "flag": "max-budget-usd",
    "min": 0
   },
   {
    "name": "appendSystemPrompt",
    "type": "string",
    "required": false,
    "description": "Text to add to the system prompt.",
    "flag": "append-system-prompt"
   },
   {
    "name": "mcpConfig",
    "type": "array",
    "required": false,
    "description": "MCP servers to use besides: a file, or JSON with mcpServers.",
    "flag": "mcp-config",
    "whole": true
   },
   {
    "name": "resume",
    "type": "string",
    "required": false,
    "description": "Session to go on with: an id, its file, or latest.",
    "flag": "resume",
    "minLength": 1,
    "maxLength": 4096
   },
   {
    "name": "continue",
    "type": "boolean",
    "required": false,
    "description": "Go on with the newest session.",
    "flag": "continue",
    "short": "c",
    "default": false
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "required": false,
    "description": "Say what would happen and change nothing.",
    "flag": "dry-run",
    "default": false
   },
   {
    "name": "idempotencyKey",
    "type": "string",
    "required": false,
    "description": "Do it once: a repeated call with this key answers with the first result.",
    "flag": "idempotency-key",
    "minLength": 1,
    "maxLength": 128
   }
  ],
  "errors": [
   "CONFIG_INVALID",
   "CONTEXT_WINDOW_EXCEEDED",
   "INVALID_MODEL",
   "INVALID_PERMISSION_MODE",
   "INVALID_SESSION_ID",
   "INVALID_TOOL_NAME",
   "MCP_CONFIG_INVALID",
   "MCP_SERVER_UNAVAILABLE",
   "MODEL_SCRIPT_INVALID",
   "MODEL_SCRIPT_NOT_FOUND",
   "PAYMENT_REQUIRED",
   "PERMISSION_DENIED",
   "RATE_LIMIT_EXCEEDED",
   "REQUEST_TOO_LARGE",
   "RETRIES_EXHAUSTED",
   "SESSION_LOCKED",
   "TOKEN_EXPIRED",
   "TOKEN_INVALID",
   "TOKEN_MISSING",
   "UPSTREAM_REJECTED",
   "UPSTREAM_UNAVAILABLE",
   "UPSTREAM_UNREACHABLE",
   "INTERACTIVE_ONLY",
   "NO_SESSIONS",
   "SESSION_CORRUPT",
   "SESSION_NOT_FOUND",
   "SESSION_PATH_IS_DIRECTORY",
   "SESSION_UNREADABLE",
   "SESSION_VERSION_UNSUPPORTED"
  ],
  "examples": [
   {
    "description": "Without a key, to see how it feels",
    "command": "claw chat --model scripted"
   },
   {
    "description": "Go on where the last session ended",
    "command": "claw chat --continue"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": false,
  "unlimited": true,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "command-graph",
  "summary": "List every command of the interactive session by where it comes from.",
  "effect": "read",
  "fields": [],
  "errors": [],
  "examples": [
   {
    "description": "For a program",
    "command": "claw command-graph --output-format json"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": false,
  "unlimited": false,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "completion",
  "summary": "Print a script that completes commands and flags in your shell.",
  "effect": "read",
  "fields": [
   {
    "name": "shell",
    "type": "enum",
    "required": true,
    "description": "Shell to complete in.",
    "positional": 0,
    "values": [
     "bash",
     "zsh",
     "fish"
    ]
   }
  ],
  "errors": [],
  "examples": [
   {
    "description": "Bash, for this shell",
    "command": "eval \"$(claw completion bash)\""
   },
   {
    "description": "Fish, for good",
    "command": "claw completion fish > ~/.config/fish/completions/claw.fish"
   }
  ],
  "cacheable": false,
  "anywhere": true,
  "streams": false,
  "unlimited": false,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "config",
  "summary": "Show every setting with the file that set it.",
  "effect": "read",
  "fields": [
   {
    "name": "section",
    "type": "string",
    "required": false,
    "description": "Show one section only.",
    "positional": 0
   }
  ],
  "errors": [
   "UNSUPPORTED_CONFIG_SECTION"
  ],
  "examples": [
   {
    "description": "Who decides about permissions",
    "command": "claw config permissions"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": false,
  "unlimited": false,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "delete-session",
  "summary": "Delete one stored session.",
  "effect": "delete",
  "fields": [
   {
    "name": "sessionId",
    "type": "string",
    "required": true,
    "description": "Id of the session.",
    "positional": 0,
    "minLength": 1,
    "maxLength": 4096
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "required": false,
    "description": "Say what would happen and change nothing.",
    "flag": "dry-run",
    "default": false
   },
   {
    "name": "idempotencyKey",
    "type": "string",
    "required": false,
    "description": "Do it once: a repeated call with this key answers with the first result.",
    "flag": "idempotency-key",
    "minLength": 1,
    "maxLength": 128
   }
  ],
  "errors": [
   "SESSION_NOT_FOUND",
   "NO_SESSIONS",
   "INVALID_SESSION_ID",
   "SESSION_LOCKED",
   "SESSION_UNREADABLE",
   "SESSION_PATH_IS_DIRECTORY",
   "SESSION_DELETE_FAILED"
  ],
  "examples": [
   {
    "description": "See first what would go",
    "command": "claw delete-session latest --dry-run"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": false,
  "unlimited": false,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "demo",
  "summary": "Watch a daemon and four agents at work, without a key; nothing is left behind.",
  "effect": "read",
  "fields": [
   {
    "name": "headless",
    "type": "boolean",
    "required": false,
    "description": "Without a screen: questions are answered with yes.",
    "flag": "headless",
    "default": false
   },
   {
    "name": "once",
    "type": "boolean",
    "required": false,
    "description": "Leave when everything is done, without waiting for a key.",
    "flag": "once",
    "default": false
   },
   {
    "name": "keep",
    "type": "boolean",
    "required": false,
    "description": "Leave the folder and its daemon there to look into.",
    "flag": "keep",
    "default": false
   }
  ],
  "errors": [
   "BUS_INCOMPATIBLE",
   "BUS_REFUSED",
   "BUS_UNREACHABLE",
   "DAEMON_FAILED",
   "WORKER_FAILED",
   "WORKTREE_FAILED"
  ],
  "examples": [
   {
    "description": "To its end, for a script",
    "command": "claw demo --headless --once"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": true,
  "unlimited": false,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "doctor",
  "summary": "Check what claw needs on this machine and in this folder.",
  "effect": "read",
  "fields": [],
  "errors": [
   "DOCTOR_FAILED"
  ],
  "examples": [
   {
    "description": "Check this folder",
    "command": "claw doctor"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": false,
  "unlimited": false,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "down",
  "summary": "Stop the daemon of this folder. Everything it acknowledged is kept.",
  "effect": "write",
  "fields": [
   {
    "name": "dryRun",
    "type": "boolean",
    "required": false,
    "description": "Say what would happen and change nothing.",
    "flag": "dry-run",
    "default": false
   },
   {
    "name": "idempotencyKey",
    "type": "string",
    "required": false,
    "description": "Do it once: a repeated call with this key answers with the first result.",
    "flag": "idempotency-key",
    "minLength": 1,
    "maxLength": 128
   }
  ],
  "errors": [
   "DAEMON_FAILED"
  ],
  "examples": [
   {
    "description": "Stop it",
    "command": "claw down"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": false,
  "unlimited": false,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "events",
  "summary": "Read the log of everything that happened, and follow it.",
  "effect": "read",
  "fields": [
   {
    "name": "topic",
    "type": "array",
    "required": false,
    "description": "Pattern of topics: * is one segment, ** any number; repeatable. Without it, everything.",
    "flag": "topic"
   },
   {
    "name": "since",
    "type": "string",
    "required": false,
    "description": "After this cursor, or since this time (ISO, or 10m, 2h, 3d).",
    "flag": "since"
   },
   {
    "name": "follow",
    "type": "boolean",
    "required": false,
    "description": "Go on with what happens from now on.",
    "flag": "follow",
    "short": "f",
    "default": false
   },
   {
    "name": "limit",
    "type": "integer",
    "required": false,
    "description": "Stop after so many events.",
    "flag": "limit",
    "min": 1,
    "max": 10000
   },
   {
    "name": "format",
    "type": "enum",
    "required": false,
    "description": "Form of an event.",
    "flag": "format",
    "default": "claw",
    "values": [
     "claw",
     "cloudevents"
    ]
   }
  ],
  "errors": [
   "DAEMON_NOT_RUNNING",
   "BUS_INCOMPATIBLE",
   "BUS_REFUSED",
   "BUS_UNREACHABLE",
   "TOKEN_INVALID",
   "TOKEN_MISSING",
   "INVALID_CURSOR"
  ],
  "examples": [
   {
    "description": "Everything so far",
    "command": "claw events"
   },
   {
    "description": "The last ten minutes, then live",
    "command": "claw events --follow --since 10m"
   },
   {
    "description": "Workers, as it happens",
    "command": "claw events --follow --topic 'worker.**' --output-format stream-json"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": true,
  "unlimited": true,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "exec-command",
  "summary": "Execute one command of the interactive session.",
  "effect": "write",
  "fields": [
   {
    "name": "name",
    "type": "string",
    "required": true,
    "description": "Name of the command, with or without its slash.",
    "positional": 0,
    "minLength": 1
   },
   {
    "name": "prompt",
    "type": "string",
    "required": false,
    "description": "What would follow the name in a session.",
    "positional": 1,
    "default": ""
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "required": false,
    "description": "Say what would happen and change nothing.",
    "flag": "dry-run",
    "default": false
   },
   {
    "name": "idempotencyKey",
    "type": "string",
    "required": false,
    "description": "Do it once: a repeated call with this key answers with the first result.",
    "flag": "idempotency-key",
    "minLength": 1,
    "maxLength": 128
   }
  ],
  "errors": [
   "COMMAND_NOT_FOUND",
   "PERMISSION_DENIED",
   "INVALID_PERMISSION_MODE",
   "INVALID_HISTORY_COUNT",
   "UNSUPPORTED_CONFIG_SECTION",
   "INVALID_OUTPUT_PATH",
   "CONFIRMATION_REQUIRED",
   "NO_SESSIONS",
   "SESSION_NOT_FOUND",
   "SESSION_CORRUPT",
   "SESSION_UNREADABLE",
   "SESSION_VERSION_UNSUPPORTED",
   "SESSION_PATH_IS_DIRECTORY"
  ],
  "examples": [
   {
    "description": "Make a folder",
    "command": "claw exec-command add-dir src/util"
   },
   {
    "description": "What git sees as changed",
    "command": "claw exec-command diff"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": false,
  "unlimited": false,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "exec-tool",
  "summary": "Execute one tool of the agent, within the permissions that hold for it.",
  "effect": "write",
  "fields": [
   {
    "name": "name",
    "type": "string",
    "required": true,
    "description": "Name or alias of the tool.",
    "positional": 0,
    "minLength": 1
   },
   {
    "name": "payload",
    "type": "string",
    "required": false,
    "description": "Its input: a JSON object, or the text of its main field.",
    "positional": 1,
    "default": ""
   },
   {
    "name": "permissionMode",
    "type": "enum",
    "required": false,
    "description": "Permission mode in place of the configured one.",
    "flag": "permission-mode",
    "values": [
     "read-only",
     "workspace-write",
     "danger-full-access"
    ],
    "error": "INVALID_PERMISSION_MODE"
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "required": false,
    "description": "Say what would happen and change nothing.",
    "flag": "dry-run",
    "default": false
   },
   {
    "name": "idempotencyKey",
    "type": "string",
    "required": false,
    "description": "Do it once: a repeated call with this key answers with the first result.",
    "flag": "idempotency-key",
    "minLength": 1,
    "maxLength": 128
   }
  ],
  "errors": [
   "TOOL_NOT_FOUND",
   "PERMISSION_DENIED",
   "INVALID_PERMISSION_MODE",
   "CONFIG_INVALID"
  ],
  "examples": [
   {
    "description": "Read a file as the agent would",
    "command": "claw exec-tool read_file README.md"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": false,
  "unlimited": false,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "export",
  "summary": "Write a session as Markdown or JSON, to a file or to the answer.",
  "effect": "write",
  "fields": [
   {
    "name": "path",
    "type": "string",
    "required": false,
    "description": "File to write; without it the answer holds the text.",
    "positional": 0
   },
   {
    "name": "output",
    "type": "string",
    "required": false,
    "description": "Same as PATH.",
    "flag": "output",
    "short": "o"
   },
   {
    "name": "session",
    "type": "string",
    "required": false,
    "description": "Id of the session, `latest`, or its path.",
    "flag": "session",
    "default": "latest",
    "minLength": 1,
    "maxLength": 4096
   },
   {
    "name": "format",
    "type": "enum",
    "required": false,
    "description": "Form of the export.",
    "flag": "format",
    "default": "markdown",
    "values": [
     "markdown",
     "json"
    ]
   },
   {
    "name": "uncommitted",
    "type": "boolean",
    "required": false,
    "description": "Include turns that never ended.",
    "flag": "uncommitted",
    "default": false
   },
   {
    "name": "yes",
    "type": "boolean",
    "required": false,
    "description": "Overwrite the file if it exists.",
    "flag": "yes",
    "short": "y",
    "default": false
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "required": false,
    "description": "Say what would happen and change nothing.",
    "flag": "dry-run",
    "default": false
   },
   {
    "name": "idempotencyKey",
    "type": "string",
    "required": false,
    "description": "Do it once: a repeated call with this key answers with the first result.",
    "flag": "idempotency-key",
    "minLength": 1,
    "maxLength": 128
   }
  ],
  "errors": [
   "SESSION_NOT_FOUND",
   "NO_SESSIONS",
   "INVALID_SESSION_ID",
   "INVALID_OUTPUT_PATH",
   "CONFIRMATION_REQUIRED",
   "SESSION_CORRUPT",
   "SESSION_UNREADABLE",
   "SESSION_VERSION_UNSUPPORTED",
   "SESSION_PATH_IS_DIRECTORY"
  ],
  "examples": [
   {
    "description": "The newest session to a file",
    "command": "claw export notes.md"
   },
   {
    "description": "One session as JSON",
    "command": "claw export --session ID --format json"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": false,
  "unlimited": false,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "fake-agent",
  "summary": "Play an agent's CLI by a scenario, for tests without a model.",
  "effect": "read",
  "fields": [
   {
    "name": "agent",
    "type": "enum",
    "required": false,
    "description": "The CLI to play; without it, scenarios are listed or checked.",
    "positional": 0,
    "values": [
     "claude",
     "codex"
    ]
   },
   {
    "name": "args",
    "type": "array",
    "required": false,
    "description": "Everything behind it is for the CLI that is played.",
    "positional": 1,
    "rest": true
   },
   {
    "name": "scenario",
    "type": "string",
    "required": false,
    "description": "Name of a built-in scenario, or a file; text by default.",
    "flag": "scenario",
    "minLength": 1
   }
  ],
  "errors": [
   "FAKE_SCENARIO_NOT_FOUND",
   "FAKE_SCENARIO_INVALID"
  ],
  "examples": [
   {
    "description": "Scenarios there are",
    "command": "claw fake-agent"
   },
   {
    "description": "Be Claude Code",
    "command": "claw fake-agent claude --scenario tools -p hello"
   },
   {
    "description": "Check a scenario of your own",
    "command": "claw fake-agent --scenario question"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": false,
  "unlimited": true,
  "bulky": false,
  "plays": true,
  "reportsTimeout": false
 },
 {
  "name": "fleet",
  "summary": "Start the workers of a file, each when what it needs is done, and follow them to their end.",
  "effect": "write",
  "fields": [
   {
    "name": "file",
    "type": "string",
    "required": true,
    "description": "YAML or JSON file that describes the fleet.",
    "positional": 0,
    "minLength": 1
   },
   {
    "name": "keepGoing",
    "type": "boolean",
    "required": false,
    "description": "After a failure, go on with those who do not need what failed.",
    "flag": "keep-going",
    "default": false
   },
   {
    "name": "fresh",
    "type": "boolean",
    "required": false,
    "description": "Start those again that an earlier call has finished.",
    "flag": "fresh",
    "default": false
   },
   {
    "name": "concurrency",
    "type": "integer",
    "required": false,
    "description": "How many run at a time; the file's number otherwise.",
    "flag": "concurrency",
    "min": 1
   },
   {
    "name": "onInterrupt",
    "type": "enum",
    "required": false,
    "description": "What becomes of the workers when this call is interrupted.",
    "flag": "on-interrupt",
    "default": "leave",
    "values": [
     "leave",
     "abort"
    ]
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "required": false,
    "description": "Say what would happen and change nothing.",
    "flag": "dry-run",
    "default": false
   },
   {
    "name": "idempotencyKey",
    "type": "string",
    "required": false,
    "description": "Do it once: a repeated call with this key answers with the first result.",
    "flag": "idempotency-key",
    "minLength": 1,
    "maxLength": 128
   }
  ],
  "errors": [
   "DAEMON_NOT_RUNNING",
   "BUS_INCOMPATIBLE",
   "BUS_REFUSED",
   "BUS_UNREACHABLE",
   "TOKEN_INVALID",
   "TOKEN_MISSING",
   "FLEET_FILE_INVALID",
   "FLEET_FAILED"
  ],
  "examples": [
   {
    "description": "See what would be started",
    "command": "claw fleet fleet.yaml --dry-run"
   },
   {
    "description": "The same, one at a time",
    "command": "claw fleet fleet.yaml --concurrency 1 --dry-run"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": true,
  "unlimited": true,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "flush-transcript",
  "summary": "Store a prompt in a session and force everything to disk.",
  "effect": "write",
  "fields": [
   {
    "name": "prompt",
    "type": "string",
    "required": false,
    "description": "Text to append as a user message; without it the session is only forced to disk.",
    "positional": 0,
    "maxLength": 1048576
   },
   {
    "name": "sessionId",
    "type": "string",
    "required": false,
    "description": "Session to append to; without it a new one is made.",
    "flag": "session-id",
    "minLength": 1,
    "maxLength": 4096
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "required": false,
    "description": "Say what would happen and change nothing.",
    "flag": "dry-run",
    "default": false
   },
   {
    "name": "idempotencyKey",
    "type": "string",
    "required": false,
    "description": "Do it once: a repeated call with this key answers with the first result.",
    "flag": "idempotency-key",
    "minLength": 1,
    "maxLength": 128
   }
  ],
  "errors": [
   "MISSING_ARGUMENT",
   "MISSING_PROMPT",
   "SESSION_NOT_FOUND",
   "NO_SESSIONS",
   "INVALID_SESSION_ID",
   "SESSION_LOCKED",
   "SESSION_CORRUPT",
   "SESSION_UNREADABLE",
   "SESSION_VERSION_UNSUPPORTED",
   "SESSION_PATH_IS_DIRECTORY"
  ],
  "examples": [
   {
    "description": "Start a session",
    "command": "claw flush-transcript \"review the parser\""
   },
   {
    "description": "Go on with it",
    "command": "claw flush-transcript \"and its tests\" --session-id latest"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": false,
  "unlimited": false,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "harnesses",
  "summary": "Say which agents' CLIs are installed and what is known of them.",
  "effect": "read",
  "fields": [],
  "errors": [],
  "examples": [
   {
    "description": "What can be run here",
    "command": "claw harnesses"
   },
   {
    "description": "For a program",
    "command": "claw harnesses --output-format json"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": false,
  "unlimited": false,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "help",
  "summary": "Explain claw, or one command.",
  "effect": "read",
  "fields": [
   {
    "name": "topic",
    "type": "string",
    "required": false,
    "description": "Command to explain.",
    "positional": 0
   }
  ],
  "errors": [
   "HELP_TOPIC_NOT_FOUND"
  ],
  "examples": [
   {
    "description": "Explain one command",
    "command": "claw help export"
   }
  ],
  "cacheable": false,
  "anywhere": true,
  "streams": false,
  "unlimited": false,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "init",
  "summary": "Prepare this folder: settings, a place for sessions, and ignore rules for git.",
  "effect": "write",
  "fields": [
   {
    "name": "dryRun",
    "type": "boolean",
    "required": false,
    "description": "Say what would happen and change nothing.",
    "flag": "dry-run",
    "default": false
   },
   {
    "name": "idempotencyKey",
    "type": "string",
    "required": false,
    "description": "Do it once: a repeated call with this key answers with the first result.",
    "flag": "idempotency-key",
    "minLength": 1,
    "maxLength": 128
   }
  ],
  "errors": [
   "INVALID_OUTPUT_PATH"
  ],
  "examples": [
   {
    "description": "Prepare the current folder",
    "command": "claw init"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": false,
  "unlimited": false,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "list-sessions",
  "summary": "List the stored sessions of this folder, newest first.",
  "effect": "read",
  "fields": [
   {
    "name": "limit",
    "type": "integer",
    "required": false,
    "description": "How many items to return.",
    "flag": "limit",
    "default": 100,
    "min": 1,
    "max": 10000
   },
   {
    "name": "cursor",
    "type": "string",
    "required": false,
    "description": "Continue after this cursor of the previous page.",
    "flag": "cursor",
    "minLength": 1
   },
   {
    "name": "ifNoneMatch",
    "type": "string",
    "required": false,
    "description": "Answer not_modified if the etag is still this one.",
    "flag": "if-none-match",
    "minLength": 1
   }
  ],
  "errors": [
   "INVALID_CURSOR"
  ],
  "examples": [
   {
    "description": "The ten newest sessions",
    "command": "claw list-sessions --limit 10"
   },
   {
    "description": "For a program",
    "command": "claw list-sessions --output-format json"
   }
  ],
  "list": "sessions",
  "cacheable": true,
  "anywhere": false,
  "streams": false,
  "unlimited": false,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "load-session",
  "summary": "Read one stored session whole and say what it holds.",
  "effect": "read",
  "fields": [
   {
    "name": "sessionId",
    "type": "string",
    "required": true,
    "description": "Id of the session, `latest`, or its path.",
    "positional": 0,
    "minLength": 1,
    "maxLength": 4096
   }
  ],
  "errors": [
   "SESSION_NOT_FOUND",
   "NO_SESSIONS",
   "INVALID_SESSION_ID",
   "SESSION_CORRUPT",
   "SESSION_UNREADABLE",
   "SESSION_VERSION_UNSUPPORTED",
   "SESSION_PATH_IS_DIRECTORY"
  ],
  "examples": [
   {
    "description": "The newest session",
    "command": "claw load-session latest"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": false,
  "unlimited": false,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "logs",
  "summary": "Show what a terminal or a worker has printed, also when the daemon is down.",
  "effect": "read",
  "fields": [
   {
    "name": "id",
    "type": "string",
    "required": true,
    "description": "A terminal's id, or the id or name of a worker.",
    "positional": 0
   },
   {
    "name": "follow",
    "type": "boolean",
    "required": false,
    "description": "Go on with what is printed from now on.",
    "flag": "follow",
    "short": "f",
    "default": false
   },
   {
    "name": "raw",
    "type": "boolean",
    "required": false,
    "description": "With the sequences that only a terminal understands.",
    "flag": "raw",
    "default": false
   },
   {
    "name": "sinceOffset",
    "type": "integer",
    "required": false,
    "description": "Begin at this byte; without it, at the oldest that is kept.",
    "flag": "since-offset",
    "min": 0
   }
  ],
  "errors": [
   "TERMINAL_NOT_FOUND",
   "FILE_ACCESS_DENIED",
   "FILESYSTEM_ERROR"
  ],
  "examples": [
   {
    "description": "Everything that is kept",
    "command": "claw logs 1"
   },
   {
    "description": "From a position on",
    "command": "claw logs 1 --since-offset 4096"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": true,
  "unlimited": true,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "manifest",
  "summary": "Describe every command, flag, exit and output to a program, in one answer.",
  "effect": "read",
  "fields": [
   {
    "name": "ifNoneMatch",
    "type": "string",
    "required": false,
    "description": "Answer not_modified if the etag is still this one.",
    "flag": "if-none-match",
    "minLength": 1
   }
  ],
  "errors": [],
  "examples": [
   {
    "description": "For a program",
    "command": "claw manifest --output-format json"
   }
  ],
  "cacheable": true,
  "anywhere": true,
  "streams": false,
  "unlimited": false,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "parse-stream",
  "summary": "Read a recorded stream of an agent and say what its run came to.",
  "effect": "read",
  "fields": [
   {
    "name": "file",
    "type": "string",
    "required": false,
    "description": "The recording; - is standard input.",
    "positional": 0,
    "default": "-",
    "minLength": 1
   },
   {
    "name": "harness",
    "type": "enum",
    "required": true,
    "description": "Whose stream it is.",
    "flag": "harness",
    "values": [
     "claude-code",
     "codex",
     "claw",
     "fake"
    ]
   },
   {
    "name": "exitCode",
    "type": "integer",
    "required": false,
    "description": "How the process ended.",
    "flag": "exit-code",
    "default": 0
   },
   {
    "name": "subject",
    "type": "string",
    "required": false,
    "description": "Name of the run in diagnostics.",
    "flag": "subject"
   },
   {
    "name": "noHangHeuristic",
    "type": "boolean",
    "required": false,
    "description": "Do not call a run doubtful that ended with a question or left work behind.",
    "flag": "no-hang-heuristic",
    "default": false
   }
  ],
  "errors": [
   "RECORDING_NOT_FOUND"
  ],
  "examples": [
   {
    "description": "What came of a run",
    "command": "claw parse-stream run.ndjson --harness claude-code"
   },
   {
    "description": "As a program reads it",
    "command": "claw parse-stream codex.ndjson --harness codex --output-format json"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": true,
  "unlimited": true,
  "bulky": true,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "pause",
  "summary": "Pause a worker until it is resumed.",
  "effect": "write",
  "fields": [
   {
    "name": "id",
    "type": "string",
    "required": true,
    "description": "Worker by id or name.",
    "positional": 0,
    "minLength": 1,
    "maxLength": 256
   },
   {
    "name": "wait",
    "type": "enum",
    "required": false,
    "description": "How far it has to come before the answer.",
    "flag": "wait",
    "default": "applied",
    "values": [
     "none",
     "accepted",
     "submitted",
     "acked",
     "applied"
    ]
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "required": false,
    "description": "Say what would happen and change nothing.",
    "flag": "dry-run",
    "default": false
   },
   {
    "name": "idempotencyKey",
    "type": "string",
    "required": false,
    "description": "Do it once: a repeated call with this key answers with the first result.",
    "flag": "idempotency-key",
    "minLength": 1,
    "maxLength": 128
   }
  ],
  "errors": [
   "DAEMON_NOT_RUNNING",
   "WORKER_NOT_FOUND",
   "WORKER_ENDED",
   "COMMAND_EXPIRED",
   "COMMAND_REFUSED",
   "PUBLISH_NOT_STORED",
   "BUS_INCOMPATIBLE",
   "BUS_REFUSED",
   "BUS_UNREACHABLE",
   "TOKEN_INVALID",
   "TOKEN_MISSING"
  ],
  "examples": [
   {
    "description": "Pause a worker",
    "command": "claw pause worker --wait none"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": false,
  "unlimited": false,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "peers",
  "summary": "List who is connected to the bus.",
  "effect": "read",
  "fields": [],
  "errors": [
   "DAEMON_NOT_RUNNING",
   "BUS_INCOMPATIBLE",
   "BUS_REFUSED",
   "BUS_UNREACHABLE",
   "TOKEN_INVALID",
   "TOKEN_MISSING"
  ],
  "examples": [
   {
    "description": "Who is there",
    "command": "claw peers"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": false,
  "unlimited": false,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "prompt",
  "summary": "Let claw's own agent work on a prompt. The same as -p.",
  "effect": "write",
  "fields": [
   {
    "name": "prompt",
    "type": "string",
    "required": false,
    "description": "What the agent is to do; without it, or with -, it is read from standard input.",
    "positional": 0
   },
   {
    "name": "compact",
    "type": "boolean",
    "required": false,
    "description": "Answer with the final text only.",
    "flag": "compact",
    "default": false
   },
   {
    "name": "model",
    "type": "string",
    "required": false,
    "description": "Model to ask: an id, an alias, provider/id, or scripted[:FILE].",
    "flag": "model",
    "error": "INVALID_MODEL"
   },
   {
    "name": "permissionMode",
    "type": "enum",
    "required": false,
    "description": "What tools may do without asking.",
    "flag": "permission-mode",
    "values": [
     "read-only",
     "workspace-write",
     "danger-full-access"
    ],
    "error": "INVALID_PERMISSION_MODE"
   },
   {
    "name": "allowedTools",
    "type": "array",
    "required": false,
    "description": "Offer these tools only; names or aliases, separated by commas.",
    "flag": "allowed-tools",
    "aliases": [
     "allowedTools"
    ]
   },
   {
    "name": "maxBudgetUsd",
    "type": "number",
    "required": false,
    "description": "Stop before the run could cost more than this.",
    "flag": "max-budget-usd",
    "min": 0
   },
   {
    "name": "appendSystemPrompt",
    "type": "string",
    "required": false,
    "description": "Text to add to the system prompt.",
    "flag": "append-system-prompt"
   },
   {
    "name": "mcpConfig",
    "type": "array",
    "required": false,
    "description": "MCP servers to use besides: a file, or JSON with mcpServers.",
    "flag": "mcp-config",
    "whole": true
   },
   {
    "name": "maxTurns",
    "type": "integer",
    "required": false,
    "description": "How many requests may be sent to the model.",
    "flag": "max-turns",
    "min": 1
   },
   {
    "name": "resume",
    "type": "string",
    "required": false,
    "description": "Session to go on with: an id, its file, or latest.",
    "flag": "resume",
    "minLength": 1,
    "maxLength": 4096
   },
   {
    "name": "continue",
    "type": "boolean",
    "required": false,
    "description": "Go on with the newest session.",
    "flag": "continue",
    "short": "c",
    "default": false
   },
   {
    "name": "inputFormat",
    "type": "enum",
    "required": false,
    "description": "With stream-json the prompt is the first user message on standard input, a line of JSON.",
    "flag": "input-format",
    "default": "text",
    "values": [
     "text",
     "stream-json"
    ]
   },
   {
    "name": "permissionPromptTool",
    "type": "enum",
    "required": false,
    "description": "Ask the program that runs claw, in lines of JSON on stdout and stdin, instead of denying.",
    "flag": "permission-prompt-tool",
    "values": [
     "stdio"
    ]
   },
   {
    "name": "fork",
    "type": "boolean",
    "required": false,
    "description": "Leave the resumed session alone and go on in a copy of it.",
    "flag": "fork",
    "default": false
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "required": false,
    "description": "Say what would happen and change nothing.",
    "flag": "dry-run",
    "default": false
   },
   {
    "name": "idempotencyKey",
    "type": "string",
    "required": false,
    "description": "Do it once: a repeated call with this key answers with the first result.",
    "flag": "idempotency-key",
    "minLength": 1,
    "maxLength": 128
   }
  ],
  "errors": [
   "CONFIG_INVALID",
   "CONTEXT_WINDOW_EXCEEDED",
   "INVALID_MODEL",
   "INVALID_PERMISSION_MODE",
   "INVALID_SESSION_ID",
   "INVALID_TOOL_NAME",
   "MCP_CONFIG_INVALID",
   "MCP_SERVER_UNAVAILABLE",
   "MISSING_PROMPT",
   "MODEL_SCRIPT_INVALID",
   "MODEL_SCRIPT_NOT_FOUND",
   "PAYMENT_REQUIRED",
   "PERMISSION_DENIED",
   "RATE_LIMIT_EXCEEDED",
   "REQUEST_TOO_LARGE",
   "RETRIES_EXHAUSTED",
   "SESSION_LOCKED",
   "TOKEN_EXPIRED",
   "TOKEN_INVALID",
   "TOKEN_MISSING",
   "UPSTREAM_REJECTED",
   "UPSTREAM_UNAVAILABLE",
   "UPSTREAM_UNREACHABLE",
   "NO_SESSIONS",
   "SESSION_CORRUPT",
   "SESSION_NOT_FOUND",
   "SESSION_PATH_IS_DIRECTORY",
   "SESSION_UNREADABLE",
   "SESSION_VERSION_UNSUPPORTED"
  ],
  "examples": [
   {
    "description": "Without a key, to see how it answers",
    "command": "claw -p \"hello\" --model scripted"
   },
   {
    "description": "In CI: read only, at most ten requests",
    "command": "claw -p review --permission-mode read-only --max-turns 10"
   },
   {
    "description": "Go on where the last one ended",
    "command": "claw -p \"and now the tests\" --continue"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": true,
  "unlimited": true,
  "bulky": true,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "ps",
  "summary": "Show what every worker is doing, and who says so.",
  "effect": "read",
  "fields": [
   {
    "name": "watch",
    "type": "boolean",
    "required": false,
    "description": "Go on showing it as it changes.",
    "flag": "watch",
    "short": "w",
    "default": false
   },
   {
    "name": "all",
    "type": "boolean",
    "required": false,
    "description": "Also those that ended a while ago.",
    "flag": "all",
    "short": "a",
    "default": false
   },
   {
    "name": "state",
    "type": "array",
    "required": false,
    "description": "Only those in this state; repeatable.",
    "flag": "state",
    "values": [
     "starting",
     "working",
     "needs_input",
     "blocked",
     "rate_limited",
     "stale",
     "hung",
     "paused",
     "finished",
     "failed",
     "gone"
    ]
   },
   {
    "name": "fleet",
    "type": "string",
    "required": false,
    "description": "Only those of this fleet.",
    "flag": "fleet"
   }
  ],
  "errors": [
   "DAEMON_NOT_RUNNING",
   "BUS_INCOMPATIBLE",
   "BUS_REFUSED",
   "BUS_UNREACHABLE",
   "TOKEN_INVALID",
   "TOKEN_MISSING"
  ],
  "examples": [
   {
    "description": "Who does what",
    "command": "claw ps"
   },
   {
    "description": "Those that wait for somebody",
    "command": "claw ps --state needs_input --state blocked"
   },
   {
    "description": "Every change as it comes",
    "command": "claw ps --watch --output-format stream-json"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": true,
  "unlimited": true,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "publish",
  "summary": "Publish one event as an orchestrator, and say where in the log it stands.",
  "effect": "write",
  "fields": [
   {
    "name": "topic",
    "type": "string",
    "required": true,
    "description": "Topic to publish on.",
    "positional": 0
   },
   {
    "name": "payload",
    "type": "string",
    "required": false,
    "description": "Data of the event, a JSON value.",
    "positional": 1,
    "default": "{}"
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "required": false,
    "description": "Say what would happen and change nothing.",
    "flag": "dry-run",
    "default": false
   },
   {
    "name": "idempotencyKey",
    "type": "string",
    "required": false,
    "description": "Do it once: a repeated call with this key answers with the first result.",
    "flag": "idempotency-key",
    "minLength": 1,
    "maxLength": 128
   }
  ],
  "errors": [
   "DAEMON_NOT_RUNNING",
   "BUS_INCOMPATIBLE",
   "BUS_REFUSED",
   "BUS_UNREACHABLE",
   "TOKEN_INVALID",
   "TOKEN_MISSING",
   "PUBLISH_FORBIDDEN",
   "PUBLISH_INVALID",
   "PUBLISH_NOT_STORED",
   "WORKER_NOT_FOUND",
   "WORKER_ENDED"
  ],
  "examples": [
   {
    "description": "Stop every worker",
    "command": "claw publish cmd.role.worker '{\"command\":\"abort\",\"reason\":\"done\"}'"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": false,
  "unlimited": false,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "reject",
  "summary": "Refuse what a worker asks for.",
  "effect": "write",
  "fields": [
   {
    "name": "approval",
    "type": "string",
    "required": false,
    "description": "Id of the approval or its beginning, or a worker that asks for one thing only.",
    "positional": 0
   },
   {
    "name": "reason",
    "type": "string",
    "required": false,
    "description": "Why, for the worker and the record.",
    "flag": "reason"
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "required": false,
    "description": "Say what would happen and change nothing.",
    "flag": "dry-run",
    "default": false
   },
   {
    "name": "idempotencyKey",
    "type": "string",
    "required": false,
    "description": "Do it once: a repeated call with this key answers with the first result.",
    "flag": "idempotency-key",
    "minLength": 1,
    "maxLength": 128
   }
  ],
  "errors": [
   "DAEMON_NOT_RUNNING",
   "BUS_INCOMPATIBLE",
   "BUS_REFUSED",
   "BUS_UNREACHABLE",
   "TOKEN_INVALID",
   "TOKEN_MISSING",
   "APPROVAL_NOT_FOUND",
   "APPROVAL_ANSWERED",
   "APPROVAL_CHANGED",
   "APPROVAL_EXPIRED",
   "WORKER_ENDED",
   "PUBLISH_NOT_STORED"
  ],
  "examples": [
   {
    "description": "With a reason",
    "command": "claw reject fixer --reason later"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": false,
  "unlimited": false,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "resume",
  "summary": "Let a paused worker go on.",
  "effect": "write",
  "fields": [
   {
    "name": "id",
    "type": "string",
    "required": true,
    "description": "Worker by id or name.",
    "positional": 0,
    "minLength": 1,
    "maxLength": 256
   },
   {
    "name": "wait",
    "type": "enum",
    "required": false,
    "description": "How far it has to come before the answer.",
    "flag": "wait",
    "default": "applied",
    "values": [
     "none",
     "accepted",
     "submitted",
     "acked",
     "applied"
    ]
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "required": false,
    "description": "Say what would happen and change nothing.",
    "flag": "dry-run",
    "default": false
   },
   {
    "name": "idempotencyKey",
    "type": "string",
    "required": false,
    "description": "Do it once: a repeated call with this key answers with the first result.",
    "flag": "idempotency-key",
    "minLength": 1,
    "maxLength": 128
   }
  ],
  "errors": [
   "DAEMON_NOT_RUNNING",
   "WORKER_NOT_FOUND",
   "WORKER_ENDED",
   "COMMAND_EXPIRED",
   "COMMAND_REFUSED",
   "PUBLISH_NOT_STORED",
   "BUS_INCOMPATIBLE",
   "BUS_REFUSED",
   "BUS_UNREACHABLE",
   "TOKEN_INVALID",
   "TOKEN_MISSING"
  ],
  "examples": [
   {
    "description": "Let it go on",
    "command": "claw resume worker --wait none"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": false,
  "unlimited": false,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "rework",
  "summary": "Send what a worker reported back, and start the worker again.",
  "effect": "write",
  "fields": [
   {
    "name": "worker",
    "type": "string",
    "required": true,
    "description": "Id or name of the worker.",
    "positional": 0
   },
   {
    "name": "reason",
    "type": "string",
    "required": true,
    "description": "What is to be done better.",
    "positional": 1,
    "minLength": 1
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "required": false,
    "description": "Say what would happen and change nothing.",
    "flag": "dry-run",
    "default": false
   },
   {
    "name": "idempotencyKey",
    "type": "string",
    "required": false,
    "description": "Do it once: a repeated call with this key answers with the first result.",
    "flag": "idempotency-key",
    "minLength": 1,
    "maxLength": 128
   }
  ],
  "errors": [
   "DAEMON_NOT_RUNNING",
   "BUS_INCOMPATIBLE",
   "BUS_REFUSED",
   "BUS_UNREACHABLE",
   "TOKEN_INVALID",
   "TOKEN_MISSING",
   "BUDGET_EXCEEDED",
   "WORKER_NOT_FOUND",
   "WORKER_NOT_REPORTED",
   "WORKER_ENDED",
   "WORKER_FAILED",
   "PUBLISH_NOT_STORED"
  ],
  "examples": [
   {
    "description": "Say what is missing",
    "command": "claw rework fixer \"the tests fail\""
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": false,
  "unlimited": false,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "route",
  "summary": "Find the commands and tools that a prompt is about, best first.",
  "effect": "read",
  "fields": [
   {
    "name": "prompt",
    "type": "string",
    "required": true,
    "description": "What somebody wants.",
    "positional": 0
   },
   {
    "name": "limit",
    "type": "integer",
    "required": false,
    "description": "How many matches to return.",
    "flag": "limit",
    "default": 10,
    "min": 0,
    "max": 10000
   }
  ],
  "errors": [],
  "examples": [
   {
    "description": "What could help here",
    "command": "claw route \"add a folder\""
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": false,
  "unlimited": false,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "run",
  "summary": "Run an agent on a prompt and say what came of it.",
  "effect": "write",
  "fields": [
   {
    "name": "prompt",
    "type": "string",
    "required": false,
    "description": "What the agent is to do; without it, or with -, it is read from standard input.",
    "positional": 0
   },
   {
    "name": "harness",
    "type": "enum",
    "required": false,
    "description": "Agent to run; auto is claude-code or codex where one is installed, else claw.",
    "flag": "harness",
    "default": "auto",
    "values": [
     "auto",
     "claude-code",
     "codex",
     "claw",
     "fake"
    ]
   },
   {
    "name": "model",
    "type": "string",
    "required": false,
    "description": "Model the agent is to use; its own choice by default, gpt-5-codex for Codex.",
    "flag": "model",
    "minLength": 1
   },
   {
    "name": "skill",
    "type": "string",
    "required": false,
    "description": "Skill the prompt is for, by name.",
    "flag": "skill",
    "minLength": 1
   },
   {
    "name": "scenario",
    "type": "string",
    "required": false,
    "description": "What the fake agent plays: a name or a file.",
    "flag": "scenario",
    "minLength": 1
   },
   {
    "name": "idleTimeoutSeconds",
    "type": "number",
    "required": false,
    "description": "End the agent when it was silent for so long; 0 is never.",
    "flag": "idle-timeout-seconds",
    "default": 600,
    "min": 0
   },
   {
    "name": "env",
    "type": "array",
    "required": false,
    "description": "NAME=VALUE sets a variable of the agent; NAME hands ours on even where it would be taken out.",
    "flag": "env",
    "whole": true
   },
   {
    "name": "noApiKey",
    "type": "boolean",
    "required": false,
    "description": "Take API keys out of its environment, so that a login is used.",
    "flag": "no-api-key",
    "default": false
   },
   {
    "name": "syncTasks",
    "type": "boolean",
    "required": false,
    "description": "Let Claude Code do nothing in the background.",
    "flag": "sync-tasks",
    "default": false
   },
   {
    "name": "noHangHeuristic",
    "type": "boolean",
    "required": false,
    "description": "Call no run doubtful for how it ended.",
    "flag": "no-hang-heuristic",
    "default": false
   },
   {
    "name": "onPermission",
    "type": "enum",
    "required": false,
    "description": "Who answers what the agent asks: nobody, the person at the terminal, or --permission-command.",
    "flag": "on-permission",
    "default": "deny",
    "values": [
     "deny",
     "ask",
     "command"
    ]
   },
   {
    "name": "permissionCommand",
    "type": "string",
    "required": false,
    "description": "Shell command that gets a question as JSON on stdin and prints its answer.",
    "flag": "permission-command",
    "minLength": 1
   },
   {
    "name": "permissionTimeoutSeconds",
    "type": "number",
    "required": false,
    "description": "How long that command may take; then the answer is no.",
    "flag": "permission-timeout-seconds",
    "default": 60,
    "min": 0.1
   },
   {
    "name": "transcript",
    "type": "string",
    "required": false,
    "description": "File to write the agent's events to, one a line.",
    "flag": "transcript",
    "minLength": 1
   },
   {
    "name": "subject",
    "type": "string",
    "required": false,
    "description": "Names the run in diagnostics.",
    "flag": "subject"
   },
   {
    "name": "yes",
    "type": "boolean",
    "required": false,
    "description": "Replace the transcript if it exists.",
    "flag": "yes",
    "short": "y",
    "default": false
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "required": false,
    "description": "Say what would happen and change nothing.",
    "flag": "dry-run",
    "default": false
   },
   {
    "name": "idempotencyKey",
    "type": "string",
    "required": false,
    "description": "Do it once: a repeated call with this key answers with the first result.",
    "flag": "idempotency-key",
    "minLength": 1,
    "maxLength": 128
   }
  ],
  "errors": [
   "CONFIRMATION_REQUIRED",
   "HARNESS_FAILED",
   "HARNESS_NOT_EXECUTABLE",
   "HARNESS_NOT_FOUND",
   "IDLE_TIMEOUT",
   "INTERACTIVE_ONLY",
   "INVALID_MODEL",
   "INVALID_OUTPUT_PATH",
   "MISSING_PROMPT",
   "RATE_LIMIT_EXCEEDED",
   "REQUEST_TOO_LARGE",
   "TOKEN_INVALID",
   "UPSTREAM_REJECTED",
   "UPSTREAM_UNAVAILABLE"
  ],
  "examples": [
   {
    "description": "With the agent that is installed",
    "command": "claw run \"explain this repository\""
   },
   {
    "description": "In CI: a limit, and one answer in the end",
    "command": "claw run --harness codex --timeout-seconds 900 --output-format json < task.md"
   },
   {
    "description": "Let a program decide what the agent may do",
    "command": "claw run 'fix it' --on-permission command --permission-command ./policy.sh"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": true,
  "unlimited": true,
  "bulky": true,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "schema",
  "summary": "Print the JSON Schema of a command, an event or an envelope.",
  "effect": "read",
  "fields": [
   {
    "name": "name",
    "type": "string",
    "required": false,
    "description": "Name of the schema; without it the names are listed.",
    "positional": 0
   },
   {
    "name": "ifNoneMatch",
    "type": "string",
    "required": false,
    "description": "Answer not_modified if the etag is still this one.",
    "flag": "if-none-match",
    "minLength": 1
   }
  ],
  "errors": [
   "SCHEMA_NOT_FOUND"
  ],
  "examples": [
   {
    "description": "Which schemas there are",
    "command": "claw schema"
   },
   {
    "description": "What list-sessions answers",
    "command": "claw schema list-sessions.output"
   }
  ],
  "cacheable": true,
  "anywhere": true,
  "streams": false,
  "unlimited": false,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "send",
  "summary": "Give a worker a text as if it was typed, and say what shows that it was taken.",
  "effect": "write",
  "fields": [
   {
    "name": "id",
    "type": "string",
    "required": true,
    "description": "Worker by id or name, or a terminal.",
    "positional": 0,
    "minLength": 1,
    "maxLength": 256
   },
   {
    "name": "text",
    "type": "string",
    "required": false,
    "description": "What to send; from stdin when it is - or missing.",
    "positional": 1
   },
   {
    "name": "wait",
    "type": "enum",
    "required": false,
    "description": "How far it has to come before the answer.",
    "flag": "wait",
    "default": "submitted",
    "values": [
     "none",
     "accepted",
     "submitted",
     "acked",
     "applied"
    ]
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "required": false,
    "description": "Say what would happen and change nothing.",
    "flag": "dry-run",
    "default": false
   },
   {
    "name": "idempotencyKey",
    "type": "string",
    "required": false,
    "description": "Do it once: a repeated call with this key answers with the first result.",
    "flag": "idempotency-key",
    "minLength": 1,
    "maxLength": 128
   }
  ],
  "errors": [
   "DAEMON_NOT_RUNNING",
   "WORKER_NOT_FOUND",
   "WORKER_ENDED",
   "COMMAND_EXPIRED",
   "COMMAND_REFUSED",
   "PUBLISH_NOT_STORED",
   "BUS_INCOMPATIBLE",
   "BUS_REFUSED",
   "BUS_UNREACHABLE",
   "TOKEN_INVALID",
   "TOKEN_MISSING",
   "MISSING_PROMPT",
   "REQUEST_TOO_LARGE",
   "TERMINAL_BUSY",
   "TERMINAL_HOST_FAILED",
   "TERMINAL_NOT_FOUND"
  ],
  "examples": [
   {
    "description": "Tell a worker something",
    "command": "claw send worker 'use the other parser' --wait none"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": false,
  "unlimited": false,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "show-command",
  "summary": "Say what one command of the interactive session does.",
  "effect": "read",
  "fields": [
   {
    "name": "name",
    "type": "string",
    "required": true,
    "description": "Name of the command, with or without its slash.",
    "positional": 0,
    "minLength": 1
   }
  ],
  "errors": [
   "COMMAND_NOT_FOUND"
  ],
  "examples": [
   {
    "description": "One command",
    "command": "claw show-command add-dir"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": false,
  "unlimited": false,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "show-tool",
  "summary": "Say what one tool of the agent does and what it takes.",
  "effect": "read",
  "fields": [
   {
    "name": "name",
    "type": "string",
    "required": true,
    "description": "Name or alias of the tool.",
    "positional": 0,
    "minLength": 1
   }
  ],
  "errors": [
   "TOOL_NOT_FOUND"
  ],
  "examples": [
   {
    "description": "One tool",
    "command": "claw show-tool bash"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": false,
  "unlimited": false,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "spawn",
  "summary": "Start a worker: an agent on a mission, looked after by the daemon.",
  "effect": "write",
  "fields": [
   {
    "name": "mission",
    "type": "string",
    "required": false,
    "description": "What the worker is to do; without it, or with -, it is read from standard input.",
    "positional": 0
   },
   {
    "name": "harness",
    "type": "enum",
    "required": false,
    "description": "Agent it runs.",
    "flag": "harness",
    "default": "claude-code",
    "values": [
     "claude-code",
     "codex",
     "claw",
     "fake"
    ]
   },
   {
    "name": "interactive",
    "type": "boolean",
    "required": false,
    "description": "Run it in a terminal, where people can look on and join in.",
    "flag": "interactive",
    "default": false
   },
   {
    "name": "name",
    "type": "string",
    "required": false,
    "description": "Its name among the workers that run; one is found without.",
    "flag": "name",
    "minLength": 1
   },
   {
    "name": "model",
    "type": "string",
    "required": false,
    "description": "Model the agent is to use; its own choice by default.",
    "flag": "model",
    "minLength": 1
   },
   {
    "name": "worktree",
    "type": "boolean",
    "required": false,
    "description": "Let it work in a git worktree and on a branch of its own.",
    "flag": "worktree",
    "default": false
   },
   {
    "name": "include",
    "type": "array",
    "required": false,
    "description": "File or folder that git does not know to bring along into the worktree; repeatable.",
    "flag": "include",
    "whole": true,
    "minLength": 1
   },
   {
    "name": "setup",
    "type": "array",
    "required": false,
    "description": "Command that makes the worktree ready; repeatable.",
    "flag": "setup",
    "whole": true,
    "minLength": 1
   },
   {
    "name": "teardown",
    "type": "array",
    "required": false,
    "description": "Command to run before the worktree is removed; repeatable.",
    "flag": "teardown",
    "whole": true,
    "minLength": 1
   },
   {
    "name": "budgetUsd",
    "type": "number",
    "required": false,
    "description": "What it may spend in US dollars, its own workers included.",
    "flag": "budget-usd",
    "min": 0
   },
   {
    "name": "budgetTokens",
    "type": "integer",
    "required": false,
    "description": "The same in tokens.",
    "flag": "budget-tokens",
    "min": 0
   },
   {
    "name": "check",
    "type": "array",
    "required": false,
    "description": "Command that shows whether its work is done; repeatable.",
    "flag": "check",
    "whole": true,
    "minLength": 1
   },
   {
    "name": "scenario",
    "type": "string",
    "required": false,
    "description": "What the fake agent plays: a name or a file.",
    "flag": "scenario",
    "minLength": 1
   },
   {
    "name": "permissionMode",
    "type": "enum",
    "required": false,
    "description": "What it may do without asking.",
    "flag": "permission-mode",
    "values": [
     "read-only",
     "workspace-write",
     "danger-full-access"
    ]
   },
   {
    "name": "env",
    "type": "array",
    "required": false,
    "description": "NAME=VALUE sets a variable of the agent; NAME hands ours on. Repeatable.",
    "flag": "env",
    "whole": true,
    "minLength": 1
   },
   {
    "name": "parent",
    "type": "string",
    "required": false,
    "description": "Worker or peer it works for.",
    "flag": "parent",
    "minLength": 1
   },
   {
    "name": "onStale",
    "type": "enum",
    "required": false,
    "description": "What is done when nothing is heard of it.",
    "flag": "on-stale",
    "values": [
     "alert",
     "nudge",
     "restart"
    ]
   },
   {
    "name": "onHung",
    "type": "enum",
    "required": false,
    "description": "What is done when it lives and gets nowhere.",
    "flag": "on-hung",
    "values": [
     "alert",
     "nudge",
     "restart"
    ]
   },
   {
    "name": "onCrash",
    "type": "enum",
    "required": false,
    "description": "What is done when its process ends before its work is done.",
    "flag": "on-crash",
    "values": [
     "alert",
     "nudge",
     "restart"
    ]
   },
   {
    "name": "restarts",
    "type": "integer",
    "required": false,
    "description": "How often it is started anew within an hour.",
    "flag": "restarts",
    "min": 0,
    "max": 1000
   },
   {
    "name": "wait",
    "type": "enum",
    "required": false,
    "description": "How far it has to be before this returns.",
    "flag": "wait",
    "default": "boot",
    "values": [
     "boot",
     "complete",
     "none"
    ]
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "required": false,
    "description": "Say what would happen and change nothing.",
    "flag": "dry-run",
    "default": false
   },
   {
    "name": "idempotencyKey",
    "type": "string",
    "required": false,
    "description": "Do it once: a repeated call with this key answers with the first result.",
    "flag": "idempotency-key",
    "minLength": 1,
    "maxLength": 128
   }
  ],
  "errors": [
   "DAEMON_NOT_RUNNING",
   "BUS_INCOMPATIBLE",
   "BUS_REFUSED",
   "BUS_UNREACHABLE",
   "TOKEN_INVALID",
   "TOKEN_MISSING",
   "BUDGET_EXCEEDED",
   "BUDGET_UNMEASURABLE",
   "FAKE_SCENARIO_INVALID",
   "FAKE_SCENARIO_NOT_FOUND",
   "HARNESS_NOT_EXECUTABLE",
   "HARNESS_NOT_FOUND",
   "INVALID_MODEL",
   "MISSING_PROMPT",
   "NOT_A_REPOSITORY",
   "PERMISSION_DENIED",
   "PUBLISH_NOT_STORED",
   "REQUEST_TOO_LARGE",
   "WORKER_FAILED",
   "WORKER_NAME_TAKEN",
   "WORKER_NOT_FOUND",
   "WORKTREE_FAILED"
  ],
  "examples": [
   {
    "description": "Claude Code, in a worktree of its own",
    "command": "claw spawn --worktree \"fix the failing test\""
   },
   {
    "description": "Done only when the tests pass, for two dollars at most",
    "command": "claw spawn --check \"npm test\" --budget-usd 2 \"add a changelog\""
   },
   {
    "description": "In a terminal, to look on and join in: claw attach reviewer",
    "command": "claw spawn --interactive --name reviewer \"review the last commit\""
   },
   {
    "description": "A worker that costs nothing, until it is done",
    "command": "claw spawn --harness fake --scenario tools --wait complete 'try it'"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": false,
  "unlimited": true,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "status",
  "summary": "Say where you are: model, permissions, usage, folder, git. Needs no credentials.",
  "effect": "read",
  "fields": [
   {
    "name": "model",
    "type": "string",
    "required": false,
    "description": "Model to report on instead of the configured one.",
    "flag": "model",
    "error": "INVALID_MODEL"
   },
   {
    "name": "permissionMode",
    "type": "enum",
    "required": false,
    "description": "Permission mode to report on instead of the configured one.",
    "flag": "permission-mode",
    "values": [
     "read-only",
     "workspace-write",
     "danger-full-access"
    ],
    "error": "INVALID_PERMISSION_MODE"
   }
  ],
  "errors": [
   "INVALID_PERMISSION_MODE",
   "INVALID_MODEL"
  ],
  "examples": [
   {
    "description": "For a program",
    "command": "claw status --output-format json"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": false,
  "unlimited": false,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "stream-events",
  "summary": "Print the bus line by line as older sidecars did, or wait for one worker's end.",
  "effect": "read",
  "fields": [
   {
    "name": "wait",
    "type": "string",
    "required": false,
    "description": "Wait for the end of the worker with this correlation id.",
    "flag": "wait",
    "minLength": 1
   },
   {
    "name": "timeoutMs",
    "type": "integer",
    "required": false,
    "description": "With --wait: give up after this time.",
    "flag": "timeout-ms",
    "default": 600000,
    "min": 0
   },
   {
    "name": "keepAliveOn",
    "type": "string",
    "required": false,
    "description": "With --wait: do not give up while this terminal shows signs of life.",
    "flag": "keep-alive-on",
    "minLength": 1
   },
   {
    "name": "staleThreshold",
    "type": "integer",
    "required": false,
    "description": "With --keep-alive-on: milliseconds after which a terminal that is silent counts as dead.",
    "flag": "stale-threshold",
    "default": 120000,
    "min": 0
   },
   {
    "name": "rearmCycle",
    "type": "integer",
    "required": false,
    "description": "With --keep-alive-on: milliseconds until the next look; --timeout-ms without it.",
    "flag": "rearm-cycle",
    "min": 1
   }
  ],
  "errors": [
   "DAEMON_NOT_RUNNING",
   "BUS_INCOMPATIBLE",
   "BUS_REFUSED",
   "BUS_UNREACHABLE",
   "TOKEN_INVALID",
   "TOKEN_MISSING",
   "TIMEOUT"
  ],
  "examples": [
   {
    "description": "Everything, from now on",
    "command": "claw stream-events"
   },
   {
    "description": "Until one worker is done",
    "command": "claw stream-events --wait CORRELATION_ID"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": true,
  "unlimited": true,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "tasks",
  "summary": "List the tasks of this folder and where they stand.",
  "effect": "read",
  "fields": [
   {
    "name": "assignee",
    "type": "string",
    "required": false,
    "description": "Only those of this peer.",
    "flag": "assignee"
   },
   {
    "name": "status",
    "type": "enum",
    "required": false,
    "description": "Only those in this status.",
    "flag": "status",
    "values": [
     "pending",
     "running",
     "blocked",
     "in_progress",
     "succeeded",
     "failed",
     "skipped"
    ]
   }
  ],
  "errors": [
   "DAEMON_NOT_RUNNING",
   "BUS_INCOMPATIBLE",
   "BUS_REFUSED",
   "BUS_UNREACHABLE",
   "TOKEN_INVALID",
   "TOKEN_MISSING"
  ],
  "examples": [
   {
    "description": "What is blocked",
    "command": "claw tasks --status blocked"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": false,
  "unlimited": false,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "tool-pool",
  "summary": "List the tools that the agent may call in this folder.",
  "effect": "read",
  "fields": [
   {
    "name": "simpleMode",
    "type": "boolean",
    "required": false,
    "description": "Only those to run commands and to read and edit files.",
    "flag": "simple-mode",
    "default": false
   },
   {
    "name": "noMcp",
    "type": "boolean",
    "required": false,
    "description": "Leave out tools of MCP servers; none is started then.",
    "flag": "no-mcp",
    "default": false
   }
  ],
  "errors": [],
  "examples": [
   {
    "description": "Without tool servers",
    "command": "claw tool-pool --no-mcp"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": false,
  "unlimited": false,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "turn-loop",
  "summary": "Run several turns in one session, within a number of turns and a time.",
  "effect": "write",
  "fields": [
   {
    "name": "prompt",
    "type": "string",
    "required": true,
    "description": "What the first turn is about.",
    "positional": 0
   },
   {
    "name": "maxTurns",
    "type": "integer",
    "required": false,
    "description": "How many turns there may be.",
    "flag": "max-turns",
    "default": 3,
    "min": 0
   },
   {
    "name": "continuationPrompt",
    "type": "string",
    "required": false,
    "description": "What each further turn says; without it there is one.",
    "flag": "continuation-prompt",
    "minLength": 1
   },
   {
    "name": "maxIterations",
    "type": "integer",
    "required": false,
    "description": "How many requests one turn may send.",
    "flag": "max-iterations",
    "min": 1
   },
   {
    "name": "limit",
    "type": "integer",
    "required": false,
    "description": "How many matches a turn names.",
    "flag": "limit",
    "default": 5,
    "min": 0,
    "max": 10000
   },
   {
    "name": "model",
    "type": "string",
    "required": false,
    "description": "Model to ask: an id, an alias, provider/id, or scripted[:FILE].",
    "flag": "model",
    "error": "INVALID_MODEL"
   },
   {
    "name": "permissionMode",
    "type": "enum",
    "required": false,
    "description": "What tools may do without asking.",
    "flag": "permission-mode",
    "values": [
     "read-only",
     "workspace-write",
     "danger-full-access"
    ],
    "error": "INVALID_PERMISSION_MODE"
   },
   {
    "name": "allowedTools",
    "type": "array",
    "required": false,
    "description": "Offer these tools only; names or aliases, separated by commas.",
    "flag": "allowed-tools",
    "aliases": [
     "allowedTools"
    ]
   },
   {
    "name": "maxBudgetUsd",
    "type": "number",
    "required": false,
    "description": "Stop before the run could cost more than this.",
    "flag": "max-budget-usd",
    "min": 0
   },
   {
    "name": "appendSystemPrompt",
    "type": "string",
    "required": false,
    "description": "Text to add to the system prompt.",
    "flag": "append-system-prompt"
   },
   {
    "name": "mcpConfig",
    "type": "array",
    "required": false,
    "description": "MCP servers to use besides: a file, or JSON with mcpServers.",
    "flag": "mcp-config",
    "whole": true
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "required": false,
    "description": "Say what would happen and change nothing.",
    "flag": "dry-run",
    "default": false
   },
   {
    "name": "idempotencyKey",
    "type": "string",
    "required": false,
    "description": "Do it once: a repeated call with this key answers with the first result.",
    "flag": "idempotency-key",
    "minLength": 1,
    "maxLength": 128
   }
  ],
  "errors": [
   "CONFIG_INVALID",
   "CONTEXT_WINDOW_EXCEEDED",
   "INVALID_MODEL",
   "INVALID_PERMISSION_MODE",
   "INVALID_SESSION_ID",
   "INVALID_TOOL_NAME",
   "MCP_CONFIG_INVALID",
   "MCP_SERVER_UNAVAILABLE",
   "MISSING_PROMPT",
   "MODEL_SCRIPT_INVALID",
   "MODEL_SCRIPT_NOT_FOUND",
   "PAYMENT_REQUIRED",
   "PERMISSION_DENIED",
   "RATE_LIMIT_EXCEEDED",
   "REQUEST_TOO_LARGE",
   "RETRIES_EXHAUSTED",
   "SESSION_LOCKED",
   "TOKEN_EXPIRED",
   "TOKEN_INVALID",
   "TOKEN_MISSING",
   "UPSTREAM_REJECTED",
   "UPSTREAM_UNAVAILABLE",
   "UPSTREAM_UNREACHABLE",
   "TURN_TIMEOUT"
  ],
  "examples": [
   {
    "description": "Three turns at most, a minute in all",
    "command": "claw turn-loop hi --continuation-prompt go --timeout-seconds 60"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": false,
  "unlimited": true,
  "bulky": false,
  "plays": false,
  "reportsTimeout": true
 },
 {
  "name": "up",
  "summary": "Start the daemon of this folder: the event bus and its durable log.",
  "effect": "write",
  "fields": [
   {
    "name": "foreground",
    "type": "boolean",
    "required": false,
    "description": "Be the daemon instead of starting one in the background.",
    "flag": "foreground",
    "default": false
   },
   {
    "name": "socket",
    "type": "string",
    "required": false,
    "description": "Path of the unix socket; .claws/claws.sock by default.",
    "flag": "socket"
   },
   {
    "name": "http",
    "type": "string",
    "required": false,
    "description": "Listen on host:port as well: WebSocket, SSE, HTTP.",
    "flag": "http"
   },
   {
    "name": "durability",
    "type": "enum",
    "required": false,
    "description": "Whether an acknowledged event survives a power cut.",
    "flag": "durability",
    "default": "strict",
    "values": [
     "strict",
     "relaxed"
    ]
   },
   {
    "name": "policy",
    "type": "enum",
    "required": false,
    "description": "Whether older clients may publish what is not theirs.",
    "flag": "policy",
    "default": "strict",
    "values": [
     "strict",
     "compat"
    ]
   },
   {
    "name": "rateLimit",
    "type": "integer",
    "required": false,
    "description": "Publishes of one peer in a second; 0 is no limit.",
    "flag": "rate-limit",
    "default": 10000,
    "min": 0
   },
   {
    "name": "requireToken",
    "type": "boolean",
    "required": false,
    "description": "Ask for a token on the unix socket too.",
    "flag": "require-token",
    "default": false
   },
   {
    "name": "tlsCert",
    "type": "string",
    "required": false,
    "description": "Certificate for --http, a PEM file.",
    "flag": "tls-cert"
   },
   {
    "name": "tlsKey",
    "type": "string",
    "required": false,
    "description": "Key for --http, a PEM file.",
    "flag": "tls-key"
   },
   {
    "name": "insecure",
    "type": "boolean",
    "required": false,
    "description": "Let other machines in without TLS.",
    "flag": "insecure",
    "default": false
   },
   {
    "name": "budgetUsd",
    "type": "number",
    "required": false,
    "description": "Stop workers, and refuse commands that cost more, once they have spent this.",
    "flag": "budget-usd",
    "min": 0
   },
   {
    "name": "budgetUsdPerDay",
    "type": "number",
    "required": false,
    "description": "Stop workers that together spent this on one day.",
    "flag": "budget-usd-per-day",
    "min": 0
   },
   {
    "name": "budgetTokensPerDay",
    "type": "number",
    "required": false,
    "description": "The same in tokens.",
    "flag": "budget-tokens-per-day",
    "min": 0
   },
   {
    "name": "tee",
    "type": "boolean",
    "required": false,
    "description": "Also append every event to .claws/events.jsonl.",
    "flag": "tee",
    "default": false
   },
   {
    "name": "dryRun",
    "type": "boolean",
    "required": false,
    "description": "Say what would happen and change nothing.",
    "flag": "dry-run",
    "default": false
   },
   {
    "name": "idempotencyKey",
    "type": "string",
    "required": false,
    "description": "Do it once: a repeated call with this key answers with the first result.",
    "flag": "idempotency-key",
    "minLength": 1,
    "maxLength": 128
   }
  ],
  "errors": [
   "DAEMON_RUNNING",
   "DAEMON_FAILED"
  ],
  "examples": [
   {
    "description": "In the background",
    "command": "claw up"
   },
   {
    "description": "For a browser on this machine",
    "command": "claw up --http 127.0.0.1:0"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": true,
  "unlimited": true,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "version",
  "summary": "Print the version of claw and of what it runs on.",
  "effect": "read",
  "fields": [],
  "errors": [],
  "examples": [
   {
    "description": "For a program",
    "command": "claw version --output-format json"
   }
  ],
  "cacheable": false,
  "anywhere": true,
  "streams": false,
  "unlimited": false,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 },
 {
  "name": "wait",
  "summary": "Wait until an event comes that fits, and print it.",
  "effect": "read",
  "fields": [
   {
    "name": "topic",
    "type": "array",
    "required": false,
    "description": "Pattern of topics to wait for; repeatable. Without it, everything.",
    "flag": "topic"
   },
   {
    "name": "filter",
    "type": "array",
    "required": false,
    "description": "What the event must have, as in data.result=ok; repeatable.",
    "flag": "filter",
    "whole": true
   },
   {
    "name": "since",
    "type": "string",
    "required": false,
    "description": "Look from this cursor or time on, not only from now.",
    "flag": "since"
   }
  ],
  "errors": [
   "DAEMON_NOT_RUNNING",
   "BUS_INCOMPATIBLE",
   "BUS_REFUSED",
   "BUS_UNREACHABLE",
   "TOKEN_INVALID",
   "TOKEN_MISSING",
   "INVALID_CURSOR"
  ],
  "examples": [
   {
    "description": "Until any worker is done",
    "command": "claw wait --topic 'worker.*.complete' --timeout-seconds 600"
   }
  ],
  "cacheable": false,
  "anywhere": false,
  "streams": false,
  "unlimited": false,
  "bulky": false,
  "plays": false,
  "reportsTimeout": false
 }
];
