// Made by `npm run generate`. Edit the schemas of settings and session records instead.
import type { FieldShape, Shape } from "./shape.ts";

/** The settings, by key. */
export const SETTINGS_SHAPES = JSON.parse(`{
"$schema":{"is":"text","optional":true},
"$version":{"is":"number","whole":true,"min":1,"optional":true},
"model":{"is":"text","optional":true},
"envelope":{"is":"word","of":["claw","flat","response"],"optional":true},
"outputFormat":{"is":"word","of":["text","json"],"optional":true},
"permissions":{"is":"object","fields":{"defaultMode":{"is":"word","of":["read-only","workspace-write","danger-full-access"],"optional":true},"allow":{"is":"list","of":{"is":"text"},"optional":true},"ask":{"is":"list","of":{"is":"text"},"optional":true},"deny":{"is":"list","of":{"is":"text"},"optional":true},"additionalDirectories":{"is":"list","of":{"is":"text"},"optional":true}},"optional":true},
"hooks":{"is":"record","of":{"is":"any"},"optional":true},
"mcpServers":{"is":"record","of":{"is":"any"},"optional":true},
"sandbox":{"is":"word","of":["auto","off","required"],"optional":true},
"aliases":{"is":"record","of":{"is":"text"},"optional":true},
"providers":{"is":"record","of":{"is":"object","fields":{"kind":{"is":"word","of":["anthropic","openai"]},"baseUrl":{"is":"text"},"apiKeyEnv":{"is":"text","optional":true},"models":{"is":"list","of":{"is":"text"},"optional":true}}},"optional":true},
"prices":{"is":"record","of":{"is":"object","fields":{"input":{"is":"number","min":0},"output":{"is":"number","min":0},"cacheRead":{"is":"number","min":0,"optional":true},"cacheWrite":{"is":"number","min":0,"optional":true},"above":{"is":"list","of":{"is":"object","fields":{"input":{"is":"number","min":0},"output":{"is":"number","min":0},"cacheRead":{"is":"number","min":0,"optional":true},"cacheWrite":{"is":"number","min":0,"optional":true},"tokens":{"is":"number","min":0}}},"max":10,"optional":true}}},"optional":true},
"pricesFile":{"is":"text","optional":true},
"env":{"is":"record","of":{"is":"text"},"optional":true},
"mcp":{"is":"object","fields":{"passEnv":{"is":"list","of":{"is":"text"},"optional":true}},"optional":true},
"approvals":{"is":"object","fields":{"rules":{"is":"list","of":{"is":"object","fields":{"id":{"is":"text","min":1},"decision":{"is":"word","of":["approve","reject"]},"harness":{"is":"text","optional":true},"worker":{"is":"text","optional":true},"tool":{"is":"text","optional":true},"command":{"is":"text","optional":true},"cwd":{"is":"text","optional":true},"request_type":{"is":"text","optional":true},"chosen":{"is":"text","optional":true}},"closed":true},"max":1000,"optional":true}},"optional":true},
"compaction":{"is":"object","fields":{"thresholdTokens":{"is":"number","whole":true,"above":0,"optional":true}},"optional":true},
"bus":{"is":"object","fields":{"url":{"is":"text","optional":true},"cluster":{"is":"text","optional":true},"machine":{"is":"text","optional":true},"credentials":{"is":"text","optional":true},"ca":{"is":"text","optional":true},"cert":{"is":"text","optional":true},"key":{"is":"text","optional":true},"replicas":{"is":"number","whole":true,"min":1,"max":5,"optional":true},"separateMachines":{"is":"boolean","optional":true},"monitoring":{"is":"text","optional":true}},"optional":true},
"notify":{"is":"object","fields":{"command":{"is":"list","of":{"is":"text"},"optional":true},"webhook":{"is":"object","fields":{"url":{"is":"text"},"secretEnv":{"is":"text"}},"optional":true},"on":{"is":"list","of":{"is":"word","of":["needs_you","failed","done"]},"optional":true},"content":{"is":"boolean","optional":true}},"optional":true},
"maxOutputTokens":{"is":"number","whole":true,"above":0,"optional":true},
"trustedRoots":{"is":"list","of":{"is":"text"},"optional":true}
}`) as Readonly<Record<string, FieldShape>>;

/** What a reader asks of session records, by type. */
export const RECORD_SHAPES = JSON.parse(`{
"session_meta":{"is":"object","fields":{"version":{"is":"number","whole":true}}},
"message":{"is":"object","fields":{"message":{"is":"object","fields":{"role":{"is":"word","of":["system","user","assistant","tool"]},"usage":{"is":"object","fields":{"input_tokens":{"is":"number","whole":true,"min":0,"optional":true},"output_tokens":{"is":"number","whole":true,"min":0,"optional":true},"cache_creation_input_tokens":{"is":"number","whole":true,"min":0,"optional":true},"cache_read_input_tokens":{"is":"number","whole":true,"min":0,"optional":true}},"optional":true},"blocks":{"is":"list","of":{"is":"object","fields":{"type":{"is":"text"}}}}}}}},
"compaction":{"is":"object","fields":{"summary":{"is":"text"},"usage":{"is":"object","fields":{"input_tokens":{"is":"number","whole":true,"min":0,"optional":true},"output_tokens":{"is":"number","whole":true,"min":0,"optional":true},"cache_creation_input_tokens":{"is":"number","whole":true,"min":0,"optional":true},"cache_read_input_tokens":{"is":"number","whole":true,"min":0,"optional":true}},"optional":true}}},
"prompt_history":{"is":"object","fields":{"text":{"is":"text"}}},
"turn_commit":{"is":"object","fields":{"turn_id":{"is":"text"},"totals":{"is":"object","fields":{"messages":{"is":"number","whole":true,"min":0},"prompts":{"is":"number","whole":true,"min":0},"turns":{"is":"number","whole":true,"min":0},"input_tokens":{"is":"number","whole":true,"min":0},"output_tokens":{"is":"number","whole":true,"min":0},"latest_total":{"is":"number","whole":true,"min":0},"estimated_tokens":{"is":"number","whole":true,"min":0}}}}}
}`) as Readonly<Record<string, Shape>>;
