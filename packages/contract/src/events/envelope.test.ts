import { describe, expect, test } from "vitest";
import { EventEnvelope, isEnveloped, sealEnvelope, SentEnvelope } from "./envelope.ts";

const full = {
  v: 1,
  id: "1b4e28ba-2fa1-4d3b-883f-0016d3cca427",
  correlation_id: "req-abc",
  parent_id: null,
  from_peer: "p_000002",
  from_name: "worker-X",
  terminal_id: "5",
  ts_published: "2026-04-27T12:00:00.123Z",
  ts_server: "2026-04-27T12:00:00.124Z",
  schema: "worker-phase-v1",
  data: { phase: "PLAN" },
} as const;

const stamp = {
  id: "6ba7b810-9dad-41d1-80b4-00c04fd430c8",
  fromPeer: "p_000009",
  fromName: "nine",
  tsServer: "2026-04-27T12:00:01.000Z",
};

describe("the envelope", () => {
  test("a complete one is accepted with fields nobody knows", () => {
    const payload = { ...full, later: { addition: true } };
    expect(EventEnvelope.parse(payload)).toEqual(payload);
  });

  test.each(["v", "id", "from_peer", "from_name", "ts_published", "schema", "data"] as const)(
    "as delivered it has %s, as sent it may lack it unless it is the data",
    (name) => {
      const { [name]: _, ...rest } = full;
      expect(EventEnvelope.safeParse(rest).success).toBe(false);
      expect(SentEnvelope.safeParse(rest).success).toBe(name !== "data");
    },
  );

  test.each([
    ["v", 2],
    ["v", "1"],
    ["id", "req-abc"],
    ["id", ""],
    ["correlation_id", ""],
    ["correlation_id", "x".repeat(129)],
    ["correlation_id", 7],
    ["from_peer", ""],
    ["from_name", null],
    ["ts_published", "yesterday"],
    ["ts_published", 1_714_219_200_000],
    ["sequence", -1],
    ["sequence", 1.5],
    ["schema", ""],
    ["terminal_id", 5],
  ])("%s may not be %j", (name, value) => {
    expect(SentEnvelope.safeParse({ ...full, [name]: value }).success).toBe(false);
  });

  test.each([
    ["correlation_id", "r1"],
    ["correlation_id", "x".repeat(128)],
    ["correlation_id", null],
    ["parent_id", "p_000001"],
    ["terminal_id", null],
    ["ts_published", "2026-04-27T14:00:00+02:00"],
    ["sequence", 0],
  ])("%s may be %j", (name, value) => {
    expect(SentEnvelope.safeParse({ ...full, [name]: value }).success).toBe(true);
  });

  test.each([
    [{ schema: "x", data: 1 }, true],
    [{ v: 1, data: {} }, true],
    [{ data: {} }, true],
    [{ kind: "LOG", data: {} }, false],
    [{ schema: "x" }, false],
    [{}, false],
    [[], false],
    [null, false],
    ["data", false],
  ])("%j is recognised as an envelope: %s", (payload, expected) => {
    expect(isEnveloped(payload)).toBe(expected);
  });

  test("sealing a bare payload fills every field", () => {
    const sealed = sealEnvelope({ sent: null, schema: "worker-phase-v1", data: { phase: "PLAN" } }, stamp);
    expect(sealed).toEqual({
      v: 1,
      id: stamp.id,
      from_peer: "p_000009",
      from_name: "nine",
      ts_published: stamp.tsServer,
      ts_server: stamp.tsServer,
      schema: "worker-phase-v1",
      data: { phase: "PLAN" },
    });
    expect(EventEnvelope.parse(sealed)).toEqual(sealed);
  });

  test("sealing keeps what was sent but for who sent it and when it arrived", () => {
    const sent = { ...full, later: 1 };
    expect(sealEnvelope({ sent, schema: "worker-phase-v1", data: sent.data }, stamp)).toEqual({
      ...sent,
      from_peer: "p_000009",
      ts_server: stamp.tsServer,
    });
  });
});
