import { objectOf } from "claw-contract";
import type { JsonObject } from "claw-contract";
import { aside, colon, lineOf } from "./event-fields.ts";
import { serverText } from "./server-text.ts";
import { workerCommandText, workerText } from "./worker-text.ts";

export interface DescribedEvent {
  readonly topic: string;
  readonly from: string;
  /** The data of an envelope, or the whole of a bare payload. */
  readonly data: unknown;
}

/** An event for people: the name of the peer, and a text about the peer. */
export interface EventText {
  readonly who: string;
  readonly text: string;
}

const ABOUT = ["peerId", "peer_id", "targetPeerId", "assignee"];

/** The peer that an event is about; the publisher where the event names no peer. */
const subjectIn = (data: JsonObject, from: string): string =>
  ABOUT.map((name) => lineOf(data[name])).find((id) => id !== "") ?? from;

function taskText(data: JsonObject): string {
  const { taskId, title, status, note, result, reason } = data;
  const what = lineOf(status) === "" ? "is to be given up" : `is ${lineOf(status)}`;
  return `task ${lineOf(title) || lineOf(taskId)} ${what}${colon(note ?? result ?? reason)}`;
}

/** Data up to this length is shown as JSON; of longer data, only the names of the fields. JSON is never cut. */
const JSON_CHARS = 200;

function plainText(topic: string, data: unknown): string {
  const json = JSON.stringify(data) ?? "";
  if (json === "" || json === "{}") return topic;
  if (json.length <= JSON_CHARS) return `${topic}  ${json}`;
  const names = Object.keys(objectOf(data));
  return `${topic}${aside(names.length === 0 ? `${json.length} characters` : `with ${names.join(", ")}`)}`;
}

/** Describes an event in one line. An event of a known kind gets a sentence, any other event its topic and data. */
export function describeEvent(
  { topic, from, data: whole }: DescribedEvent,
  nameOf: (peerId: string) => string,
): EventText {
  const [area = "", second = "", ...rest] = topic.split(".");
  const data = objectOf(whole);
  const name = (id: unknown): string => nameOf(lineOf(id));
  const telling = { word: rest.at(-1) ?? second, data, from, nameOf: name };
  if (area === "worker" && rest.length === 1) {
    const text = workerText(telling);
    if (text !== undefined) return { who: name(second), text };
  }
  const isCommand = area === "cmd" && second !== "role" && rest.length === 1;
  if (isCommand) return { who: name(second), text: workerCommandText(telling) };
  if (area === "task") return { who: name(subjectIn(data, from)), text: taskText(data) };
  const text = area === "system" && from === "server" ? serverText(second, telling) : undefined;
  const who = name(subjectIn(data, from));
  return { who, text: text ?? plainText(topic, whole) };
}
