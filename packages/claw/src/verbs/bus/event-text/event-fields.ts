import type { JsonObject } from "claw-contract";
import { numberOf, objectOf, oneLine } from "claw-contract";
import { dollars } from "../../text/text-layout.ts";

/** The content of an event, and a function that finds the names of peers. */
export interface EventContent {
  /** Last segment of the topic. */
  readonly word: string;
  readonly data: JsonObject;
  /** The publisher. */
  readonly from: string;
  readonly nameOf: (peerId: unknown) => string;
}

const LINE_CHARS = 2000;

/** A text of an event as one line; empty when the value is no text. */
export function lineOf(value: unknown): string {
  if (typeof value !== "string") return "";
  const line = oneLine(value.slice(0, LINE_CHARS));
  return value.length > LINE_CHARS ? `${line}…` : line;
}

/** `: text`, or nothing when there is no text. */
export const colon = (value: unknown): string => {
  const line = lineOf(value);
  return line === "" ? "" : `: ${line}`;
};

/** ` (text)`, or nothing. */
export const aside = (...parts: readonly string[]): string => {
  const said = parts.filter((part) => part !== "");
  return said.length === 0 ? "" : ` (${said.join(", ")})`;
};

export const spentText = (data: JsonObject, usdField: string, tokensField: string): string => {
  const [usd, tokens] = [numberOf(data[usdField]), numberOf(data[tokensField])];
  const parts = [
    ...(tokens === undefined || tokens === 0 ? [] : [`${tokens} tokens`]),
    ...(usd === undefined || usd === 0 ? [] : [dollars(usd, data["cost_estimated"] === true)]),
  ];
  return parts.join(", ");
};

export const insideOf = (data: JsonObject, name: string): unknown => objectOf(data["data"])[name] ?? data[name];
