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
  "anywhere": true
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
  "anywhere": false
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
  "anywhere": false
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
  "anywhere": false
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
  "anywhere": false
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
  "anywhere": false
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
  "anywhere": true
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
  "anywhere": false
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
  "anywhere": false
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
  "anywhere": false
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
  "anywhere": true
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
  "anywhere": true
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
  "anywhere": false
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
  "anywhere": true
 }
];
