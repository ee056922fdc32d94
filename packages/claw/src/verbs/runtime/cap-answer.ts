import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject, VerbSpec } from "claw-contract";
import { withFileErrors, writeUnsynced } from "../../files/index.ts";
import type { Ports } from "./handle.ts";
import { jsonBytes } from "./known-json.ts";

/** Room the envelope itself takes. */
const ENVELOPE_BYTES = 1024;

/** How many items of a list fit. At least one, or paging could never go on. */
function fittingItems(items: readonly unknown[], room: number): number {
  let used = 0;
  const index = items.findIndex((item) => {
    used += Buffer.byteLength(JSON.stringify(item)) + 1;
    return used > room;
  });
  return index === -1 ? items.length : Math.max(1, index);
}

function cutList(data: JsonObject, list: string, ports: Ports): JsonObject {
  const items = data[list] as readonly { readonly id: string }[];
  const room = ports.maxAnswerBytes - ENVELOPE_BYTES - jsonBytes({ ...data, [list]: [] });
  const kept = items.slice(0, fittingItems(items, room));
  if (kept.length === items.length) return data;
  const total = ports.notes.notes().page?.total ?? items.length;
  ports.notes.page({ total, returned: kept.length, cursor: kept.at(-1)?.id });
  return { ...data, [`${list}_count`]: kept.length, [list]: kept };
}

/**
 * Bulk that cannot be paged goes to a private file in a folder of its own, and the answer says where. `text` is the data
 * as JSON. The file is not synced: no later call relies on it, and a sync would take longer than the answer (bench
 * cluster, "claw ps").
 */
function spool(data: JsonObject, text: string, ports: Ports): JsonObject {
  const file = withFileErrors("write", tmpdir(), () => {
    const path = join(mkdtempSync(join(tmpdir(), "claw-answer-")), "answer.json");
    const shown = ports.redactor.redactValue(data);
    writeUnsynced(ports.files, path, `${shown === data ? text : JSON.stringify(shown)}\n`);
    return path;
  });
  ports.notes.cut();
  ports.notes.warn(`ANSWER_TOO_LARGE: the whole answer is in ${file}`);
  return { file };
}

/** Whether an answer holds only the path of the file with the whole answer. */
export const isSpooled = (data: JsonObject): data is { readonly file: string } =>
  typeof data["file"] === "string" && Object.keys(data).length === 1;

/** Keeps an answer within its limit. The caller gets the rest by cursor or from a file. */
export function capAnswer(spec: VerbSpec, data: JsonObject, ports: Ports): JsonObject {
  const text = JSON.stringify(data);
  if (Buffer.byteLength(text) + ENVELOPE_BYTES <= ports.maxAnswerBytes) return data;
  return spec.list === undefined ? spool(data, text, ports) : cutList(data, spec.list, ports);
}
