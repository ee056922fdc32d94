import { schemaByName, SentEnvelope, shapeOf, WORKER_EVENTS } from "claw-contract/schemas";
import type { Shape } from "claw-contract";
import { checkFunctions } from "./check-code.ts";

const BANNER = "// Made by `npm run generate`. Edit the event's schema instead.";

/** Events that are published most. */
const FREQUENT = { isWorkerEvent: "worker-event-v1", isWorkerHeartbeat: "worker-heartbeat-v1" };

function shapeNamed(name: string): Shape {
  const schema = schemaByName(name);
  if (schema === undefined) throw new Error(`no schema is named ${name}`);
  return shapeOf(schema, name);
}

/** Checks of the most frequent events as code, because the bus does them at every publish. */
function checks(): string {
  const shapes = Object.entries(FREQUENT).map(([check, name]) => [check, shapeNamed(name)] as const);
  const rows = Object.entries(FREQUENT).map(([check, name]) => `  [${JSON.stringify(name)}, ${check}],`);
  const text = [
    BANNER,
    'import { isObject } from "../json.ts";',
    'import type { Check } from "../wire/check-shape.ts";',
    'import { isMoment, isUuid } from "../wire/check-shape.ts";',
    "",
    checkFunctions({ isSentEnvelope: shapeOf(SentEnvelope, "envelope"), ...Object.fromEntries(shapes) }),
    "",
    "/** By the name of the schema. */",
    `export const EVENT_CHECKS: ReadonlyMap<string, Check> = new Map([\n${rows.join("\n")}\n]);`,
    "",
  ];
  return text.join("\n");
}

function workerSchemaNames(): string {
  const lines = WORKER_EVENTS.map(({ address, name }) => `  ${address.split(".").at(-1)}: ${JSON.stringify(name)},`);
  return [
    BANNER,
    "/** Names of the schemas of a worker's own events, by the last word of the topic. */",
    `export const WORKER_SCHEMA_NAMES: Readonly<Record<string, string>> = {\n${lines.join("\n")}\n};`,
    "",
  ].join("\n");
}

/** What programs without the schema library need of the events' schemas. */
export const eventChecks = (): Map<string, string> =>
  new Map([
    ["packages/contract/src/events/event-checks.generated.ts", checks()],
    ["packages/contract/src/events/worker-schema-names.generated.ts", workerSchemaNames()],
  ]);
