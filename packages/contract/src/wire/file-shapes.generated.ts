// Made by `npm run generate`. Edit the schemas of settings and session records instead.
import type { SharedShapes } from "./short-shape.ts";

/** Shapes that the shapes below share. */
export const SHARED_FILE_SHAPES = (): SharedShapes => [{"is":"record","of":{"is":"any"}},{"is":"record","of":{"is":"text"}},{"is":"number","whole":true,"above":0},{"input_tokens?":"whole:0","output_tokens?":"whole:0","cache_creation_input_tokens?":"whole:0","cache_read_input_tokens?":"whole:0"}];

/** The settings, written short. */
export const SETTINGS_SHAPE = () => ({"$schema?":"text","model?":"text","envelope?":"=claw,flat,response","outputFormat?":"=text,json","permissions?":{"defaultMode?":"=read-only,workspace-write,danger-full-access","allow?":["text"],"ask?":["text"],"deny?":["text"],"additionalDirectories?":["text"]},"hooks?":"#0","mcpServers?":"#0","sandbox?":"=auto,off,required","aliases?":"#1","providers?":{"is":"record","of":{"is":"object","fields":{"kind":{"is":"word","of":["anthropic","openai"]},"baseUrl":{"is":"text"},"apiKeyEnv":{"is":"text","optional":true},"models":{"is":"list","of":{"is":"text"},"optional":true}}}},"prices?":{"is":"record","of":{"is":"object","fields":{"input":{"is":"number","min":0},"output":{"is":"number","min":0},"cacheRead":{"is":"number","min":0,"optional":true},"cacheWrite":{"is":"number","min":0,"optional":true},"above":{"is":"list","of":{"is":"object","fields":{"input":{"is":"number","min":0},"output":{"is":"number","min":0},"cacheRead":{"is":"number","min":0,"optional":true},"cacheWrite":{"is":"number","min":0,"optional":true},"tokens":{"is":"number","min":0}}},"max":10,"optional":true}}}},"pricesFile?":"text","env?":"#1","approvals?":{"rules?":[{"is":"object","fields":{"id":{"is":"text","min":1},"decision":{"is":"word","of":["approve","reject"]},"harness":{"is":"text","optional":true},"worker":{"is":"text","optional":true},"tool":{"is":"text","optional":true},"command":{"is":"text","optional":true},"cwd":{"is":"text","optional":true},"request_type":{"is":"text","optional":true},"chosen":{"is":"text","optional":true}},"closed":true},null,1000]},"compaction?":{"thresholdTokens?":"#2"},"maxOutputTokens?":"#2","trustedRoots?":["text"]});

/** Session records by their type, written short. */
export const RECORD_SHAPES = {
  session_meta: () => ({"version":"whole"}),
  message: () => ({"message":{"role":"=system,user,assistant,tool","usage?":"#3","blocks":[{"type":"text"}]}}),
  compaction: () => ({"summary":"text","usage?":"#3"}),
  prompt_history: () => ({"text":"text"}),
  turn_commit: () => ({"turn_id":"text","totals":{"messages":"whole:0","prompts":"whole:0","turns":"whole:0","input_tokens":"whole:0","output_tokens":"whole:0","latest_total":"whole:0","estimated_tokens":"whole:0"}}),
};
