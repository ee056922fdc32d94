import { schemaByName, SentEnvelope, shapeOf } from "@claw/contract/schemas";
import type { Shape } from "@claw/contract";
import { checkFunctions } from "./check-code.ts";

const FILE = "packages/contract/src/events/event-checks.generated.ts";

/** Events that are published most. */
const FREQUENT = { isWorkerEvent: "worker-event-v1", isWorkerHeartbeat: "worker-heartbeat-v1" };

function shapeNamed(name: string): Shape {
  const schema = schemaByName(name);
  if (schema === undefined) throw new Error(`no schema is named ${name}`);
  return shapeOf(schema, name);
}

/** Checks of the most frequent events as code, because the bus does them at every publish. */
export function eventChecks(): Map<string, string> {
  const shapes = Object.entries(FREQUENT).map(([check, name]) => [check, shapeNamed(name)] as const);
  const rows = Object.entries(FREQUENT).map(([check, name]) => `  [${JSON.stringify(name)}, ${check}],`);
  const text = [
    "// Made by `npm run generate`. Edit the event's schema instead.",
    'import type { Check } from "../wire/check-shape.ts";',
    'import { isFields, isMoment, isUuid } from "../wire/check-shape.ts";',
    "",
    checkFunctions({ isSentEnvelope: shapeOf(SentEnvelope, "envelope"), ...Object.fromEntries(shapes) }),
    "",
    "/** By the name of the schema. */",
    `export const EVENT_CHECKS: ReadonlyMap<string, Check> = new Map([\n${rows.join("\n")}\n]);`,
    "",
  ];
  return new Map([[FILE, text.join("\n")]]);
}
