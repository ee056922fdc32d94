// Made by `npm run generate`. Edit the request's contract instead.
import type { RequestSpec } from "./wire-table.ts";
import type { RequestName } from "./wire-types.ts";

/** Every request: its senders and the shapes of its fields. */
export const REQUEST_SPECS = JSON.parse(`{
"ping":{"from":"any client","effect":"read","fields":{}},
"task.assign":{"from":["orchestrator"],"effect":"write","fields":{"title":{"is":"text","min":1,"refusal":"title, assignee, and prompt are required"},"assignee":{"is":"text","min":1,"refusal":"title, assignee, and prompt are required"},"prompt":{"is":"text","min":1,"refusal":"title, assignee, and prompt are required"},"deliver":{"is":"word","of":["publish","inject","both"],"refusal":"deliver has to be publish, inject or both","preset":"publish"},"timeoutMs":{"is":"number","above":0,"refusal":"timeoutMs has to be a positive number","optional":true}}}
}`) as Readonly<Record<RequestName, RequestSpec>>;
