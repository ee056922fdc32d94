import type { McpTables } from "../../../packages/claw/src/mcp/layer/mcp-tables.ts";
import { taskMethods } from "../../../packages/claw/src/mcp/layer/tasks/task-methods.ts";
import { TASKS_CAPABILITY } from "../../../packages/claw/src/mcp/layer/tasks/task.ts";
import { ASKING_TOOLS } from "./asking-tools.ts";
import { CONTENT_TOOLS } from "./content-tools.ts";
import { FIXTURE_PROMPTS, FIXTURE_RESOURCES } from "./fixture-resources.ts";
import { ROUND_TRIP_TOOLS } from "./round-trip-tools.ts";
import { SCHEMA_TOOLS } from "./schema-tools.ts";
import { FIXTURE_TASKS, TASK_TOOLS } from "./task-tools.ts";

const TOOLS = [...CONTENT_TOOLS, ...ASKING_TOOLS, ...ROUND_TRIP_TOOLS, ...SCHEMA_TOOLS, ...TASK_TOOLS];

/** What the conformance suite expects a server to offer. */
export const FIXTURE_TABLES: McpTables = {
  server: { name: "claws", title: "claws", version: "1.0.0" },
  instructions: "Tools, resources and prompts of the conformance suite.",
  tools: () => Promise.resolve(TOOLS),
  failure: (error) => ({ kind: "result", isError: true, text: error instanceof Error ? error.message : String(error) }),
  resources: FIXTURE_RESOURCES,
  prompts: FIXTURE_PROMPTS,
  methods: {
    "completion/complete": () => Promise.resolve({ completion: { values: [], total: 0, hasMore: false } }),
    ...taskMethods(FIXTURE_TASKS),
  },
  capabilities: { completions: {}, logging: {}, ...TASKS_CAPABILITY },
};
