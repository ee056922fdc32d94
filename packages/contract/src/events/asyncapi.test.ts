import { describe, expect, test } from "vitest";
import { jsonSchema } from "../json-schemas.ts";
import { REQUEST_NAMES } from "../wire/wire-table.ts";
import { asyncapiDocument } from "./asyncapi.ts";
import { PUBLISH_RULES } from "./authorisation.ts";
import { EVENT_LIMITS } from "./event-limits.ts";
import { addressParameters } from "./event-row.ts";
import { PHASES } from "./phases.ts";
import { EVENTS } from "./registry.ts";

type Node = Record<string, unknown>;

interface Document {
  readonly asyncapi: string;
  readonly channels: Record<string, { address: string; parameters?: Node; messages: Node; "x-publishers": Node[] }>;
  readonly operations: Record<string, { action: string; channel: { $ref: string }; messages: { $ref: string }[] }>;
  readonly components: { readonly messages: Record<string, { payload: Node }>; readonly schemas: Record<string, Node> };
}

// Through JSON, so that whatever is not plain data shows.
const document = JSON.parse(JSON.stringify(asyncapiDocument())) as Document;

function references(node: unknown): string[] {
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    key === "$ref" && typeof value === "string" ? [value] : references(value),
  );
}

const resolve = (pointer: string): unknown => {
  let node: unknown = document;
  for (const key of pointer.slice(2).split("/")) node = (node as Node | undefined)?.[key];
  return node;
};

describe("the AsyncAPI document", () => {
  test("is plain data, version 3.0.0, and the same on every call", () => {
    expect(document.asyncapi).toBe("3.0.0");
    expect(asyncapiDocument()).toEqual(document);
    expect(JSON.stringify(asyncapiDocument())).toBe(JSON.stringify(document));
  });

  test("has a channel for every registered event, in order", () => {
    expect(Object.entries(document.channels).map(([name, { address }]) => [name, address])).toEqual(
      EVENTS.map(({ name, address }) => [name, address]),
    );
  });

  test("names every request, with schemas that exist", () => {
    const { "x-requests": requests } = asyncapiDocument() as { "x-requests": Record<string, string>[] };
    expect(requests.map(({ name }) => name)).toEqual(REQUEST_NAMES);
    const files = requests.flatMap(({ request = "", reply = "" }) => [request, reply]);
    const names = files.map((file) => file.replace(/^schemas\/(.*)\.json$/, "$1"));
    expect(names.filter((name) => jsonSchema(name) === undefined)).toEqual([]);
  });

  test("every reference leads somewhere", () => {
    const pointers = references(document);
    expect(pointers.length).toBeGreaterThan(EVENTS.length);
    expect(pointers.filter((pointer) => !pointer.startsWith("#/") || resolve(pointer) === undefined)).toEqual([]);
  });

  test.each(Object.entries(document.channels))("%s describes exactly the variables of its address", (_, channel) => {
    const parameters = (channel.parameters ?? {}) as Record<string, { description: string }>;
    expect(Object.keys(parameters)).toEqual(addressParameters(channel.address));
    expect(Object.entries(parameters).filter(([name, { description }]) => description === name)).toEqual([]);
  });

  test.each(Object.entries(document.operations))("%s concerns a message of its own channel", (_, operation) => {
    expect(["send", "receive"]).toContain(operation.action);
    expect(operation.messages.every(({ $ref }) => $ref.startsWith(`${operation.channel.$ref}/messages/`))).toBe(true);
  });

  test("no schema names a dialect of its own, and none refuses unknown fields", () => {
    const text = JSON.stringify(document.components.schemas);
    expect(text).not.toContain('"$schema"');
    expect(text).not.toContain('"additionalProperties":false');
  });

  test("a list is documented with its entries and its limit", () => {
    const properties = document.components.schemas["worker-phase-v1"]?.properties as Record<string, Node>;
    expect(properties.phases_completed).toEqual({
      description: "Phases gone through so far.",
      type: "array",
      maxItems: EVENT_LIMITS.listItems,
      items: { type: "string", enum: [...PHASES] },
    });
  });

  test("what is published in an envelope is documented in one, what is bare is not", () => {
    expect(document.components.messages["cmd-abort-v1"]?.payload).toEqual({
      allOf: [
        { $ref: "#/components/schemas/envelope-v1" },
        {
          type: "object",
          properties: { schema: { const: "cmd-abort-v1" }, data: { $ref: "#/components/schemas/cmd-abort-v1" } },
        },
      ],
    });
    expect(document.components.messages["system-gate-fired-v1"]?.payload).toEqual({
      $ref: "#/components/schemas/system-gate-fired-v1",
    });
  });

  test("channels say who may publish, and only what peers may publish is received", () => {
    const rolesAt = (name: string) => document.channels[name]?.["x-publishers"].map(({ role }) => role);
    expect(rolesAt("worker-boot-v1")).toEqual(["worker", "orchestrator"]);
    expect(rolesAt("cmd-approve-v1")).toEqual(["orchestrator", "server"]);
    expect(rolesAt("system-peer-joined-v1")).toEqual(["server"]);
    expect(rolesAt("rpc-response-v1")).toEqual(["worker", "orchestrator"]);
    const received = Object.keys(document.operations).filter((name) => name.startsWith("receive-system-"));
    expect(received).toEqual([]);
    expect((document as unknown as Node)["x-publish-rules"]).toEqual(PUBLISH_RULES);
  });
});
