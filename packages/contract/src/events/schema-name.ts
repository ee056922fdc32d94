import { EVENT_LIMITS } from "./event-limits.ts";

export interface SchemaName {
  readonly base: string;
  readonly version: number;
}

const SCHEMA_NAME = /^([a-z][a-z0-9]*(?:-[a-z0-9]+)*)-v([1-9][0-9]{0,5})$/;

/** `worker-boot-v1` → `{ base: "worker-boot", version: 1 }`; null for anything that is no versioned name. */
export function parseSchemaName(name: unknown): SchemaName | null {
  if (typeof name !== "string" || name.length > EVENT_LIMITS.schemaNameLength) return null;
  const match = SCHEMA_NAME.exec(name);
  return match?.[1] === undefined ? null : { base: match[1], version: Number(match[2]) };
}

export const formatSchemaName = ({ base, version }: SchemaName): string => `${base}-v${version}`;

/** Whether two names are versions of one schema, so a reader of one version knows the subject of the other. */
export function isSameSchema(left: unknown, right: unknown): boolean {
  const base = parseSchemaName(left)?.base;
  return base !== undefined && base === parseSchemaName(right)?.base;
}
