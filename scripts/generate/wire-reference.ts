import type { FieldShape, Shape } from "claw-contract";
import { documentedFields, REQUESTS } from "claw-contract/schemas";
import { code, markdownTable, NOTICE } from "./markdown-table.ts";

function rangeOf({ min, max }: { readonly min?: number; readonly max?: number }, unit: string): string {
  if (min !== undefined && max !== undefined) return `, ${min} to ${max}${unit}`;
  if (min !== undefined) return `, from ${min}${unit}`;
  return max === undefined ? "" : `, up to ${max}${unit}`;
}

/** A shape in a few words. */
function words(shape: Shape): string {
  switch (shape.is) {
    case "text":
      return shape.min === 1 && shape.max === undefined ? "text, not empty" : `text${rangeOf(shape, " characters")}`;
    case "number":
      return `${shape.whole === true ? "whole number" : "number"}${rangeOf(shape, "")}${shape.above === undefined ? "" : ` above ${shape.above}`}`;
    case "word":
      return shape.of.map((word) => code(String(word))).join(", ");
    case "list":
      return `list of ${words(shape.of)}${rangeOf(shape, " entries")}`;
    case "record":
      return `object, each value: ${words(shape.of)}`;
    case "object":
      return `object: ${Object.keys(shape.fields).map(code).join(", ")}`;
    case "either":
      return shape.of.map(words).join("; or ");
    case "any":
      return "any value";
    case "time":
      return "time in UTC";
    case "moment":
      return "time in UTC or with an offset";
    case "boolean":
    case "null":
    case "uuid":
      return shape.is;
  }
}

function presence({ optional, loose, blank, preset, instead }: FieldShape): string {
  const otherwise = preset === undefined ? "optional" : `optional, ${code(JSON.stringify(preset))}`;
  if (instead !== undefined) return `${otherwise}; another value counts as ${code(JSON.stringify(instead))}`;
  if (loose === true) return `${otherwise}; another value counts as absent`;
  if (blank === true) return `${otherwise}; null and the empty text count as absent`;
  return optional === true || preset !== undefined ? otherwise : "required";
}

export function fieldTable(heading: string, fields: ReturnType<typeof documentedFields>): string[] {
  if (fields.length === 0) return [];
  const rows = fields.map(({ name, shape, description }) => [code(name), words(shape), presence(shape), description]);
  return [markdownTable([heading, "Value", "Presence", "Meaning"], rows), ""];
}

function section(request: (typeof REQUESTS)[keyof typeof REQUESTS]): string {
  const { name, summary, from } = request;
  const senders = from === "any client" ? "any client, without hello" : [...from].join(", ");
  const schemas = ["request", "reply"].map((part) => `[${part}](schemas/wire.${name}.${part}.json)`).join(", ");
  return [
    `## ${name}`,
    "",
    `${summary} Sent by: ${senders}.`,
    "",
    ...fieldTable("Request", documentedFields(request.request, name)),
    ...fieldTable("Reply", documentedFields(request.reply, `${name} reply`)),
    `Schemas: ${schemas}.`,
    "",
  ].join("\n");
}

/** Every request of the wire, as a page. */
export function wireReference(): Map<string, string> {
  const text = [
    NOTICE,
    "# Requests of the wire",
    "",
    'A request is one line of JSON: `{"id":1,"cmd":"ping"}`. The reply is one line too: `{"id":1,"protocol":"claws/1","ok":true,…,"rid":1}`.',
    "A refusal has `ok:false` and `error`, and `code` and `hint` when the error catalogue has a row for it. Fields that this page does not name are ignored.",
    "",
    ...Object.values(REQUESTS).map(section),
  ];
  return new Map([["docs/generated/wire.md", text.join("\n")]]);
}
