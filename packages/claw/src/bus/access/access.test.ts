import { createHmac } from "node:crypto";
import { LIMITS, REQUEST_NAMES, requestSpec } from "claw-contract";
import { describe, expect, test } from "vitest";
import type { BusOptions } from "../bus.ts";
import { HANDLERS } from "../requests/handlers.generated.ts";
import type { BusHarness } from "../testing/bus-harness.ts";
import { settle, startBus } from "../testing/bus-harness.ts";
import type { TokenStore } from "./tokens/index.ts";
import { createSignedHello, createTokenStore } from "./tokens/index.ts";
import type { Entrance } from "../transports/transport.ts";

const START = Date.parse("2026-01-01T00:00:00.000Z");
const NETWORK: Entrance = { surface: "network" };

async function start(access: BusOptions["access"] = {}): Promise<BusHarness & { tokens: TokenStore }> {
  const time = { now: (): number => START };
  const tokens = createTokenStore(() => time.now());
  const scene = await startBus({ tokens, access });
  time.now = () => scene.clock.now;
  return { ...scene, tokens };
}

/** Commands that anybody with a token may use. */
const READING =
  /^(hello|auth|ping|peers|introspect|schema\..*|task\.list|wave\.status|pipeline\.list|lifecycle\.snapshot|monitors\.is-corr-armed)$/;

const TOO_LARGE = { ok: false, error: "request too large" };

const EVERY_REQUEST = [...HANDLERS.keys()].map(String);

describe.each([
  ["on the network", NETWORK, {}],
  ["on a local socket that asks for tokens", { surface: "local" }, { requireToken: true }],
] satisfies [string, Entrance, BusOptions["access"]][])("a client %s", (_where, entrance, access) => {
  test.each([...EVERY_REQUEST, "no-such-command"])("is refused %s without a good token", async (cmd) => {
    const { connect, tokens } = await start(access);
    const used = tokens.mint({ role: "orchestrator", once: true });
    tokens.verify(used);
    const refusals = [
      [undefined, { error: "auth:required" }],
      ["junk", { error: "auth:invalid" }],
      [1, { error: "auth:invalid" }],
      [tokens.mint({ role: "orchestrator", lifetimeMs: 0 }), { error: "auth:expired" }],
      [used, { error: "auth:invalid", reason: "used" }],
    ] as const;
    for (const [bearer, expected] of refusals) {
      const request = { cmd, protocol: "claws/2", role: "orchestrator", ...(bearer === undefined ? {} : { bearer }) };
      expect(await connect(entrance).ask(request)).toMatchObject({ ok: false, ...expected });
    }
  });

  test("sends short lines until it has shown a token, and long ones afterwards", async () => {
    const { connect, tokens } = await start(access);
    const bearer = tokens.mint({ role: "observer" });
    const long = "ü".repeat(LIMITS.tokenlessLineBytes / 2);
    const early = connect(entrance);
    early.raw.send(JSON.stringify({ cmd: "ping", bearer, long }));
    expect([early.frames(), early.raw.ended()]).toEqual([[expect.objectContaining(TOO_LARGE)], true]);
    const shown = connect(entrance);
    await shown.hello({ bearer, role: "observer" });
    expect(await shown.ask({ cmd: "ping", long })).toMatchObject({ ok: true });
    expect(await connect({ ...entrance, bearer }).ask({ cmd: "ping", long })).toMatchObject({ ok: true });
    const forged = connect({ ...entrance, bearer: `${bearer}x` });
    forged.raw.send(JSON.stringify({ cmd: "ping", long }));
    expect(forged.frames()).toMatchObject([TOO_LARGE]);
  });

  test("may send a line of exactly the length that is allowed without a token", async () => {
    const { connect } = await start(access);
    const [line, longer] = [0, 1].map((more) => `{}${" ".repeat(LIMITS.tokenlessLineBytes - 2 + more)}`);
    const answers = [line, longer].map((text = "") => {
      const client = connect(entrance);
      client.raw.send(text);
      return client.frames().map(({ error }) => error);
    });
    expect(answers).toEqual([["auth:required"], ["request too large"]]);
  });

  test("is let in by a token in its hello, its first frame, or on its way in", async () => {
    const { connect, tokens } = await start(access);
    const bearer = tokens.mint({ role: "observer" });
    const byHello = connect(entrance);
    expect(await byHello.hello({ bearer, role: "observer" })).toMatchObject({ ok: true });
    const byFrame = connect(entrance);
    expect(await byFrame.ask({ bearer })).toMatchObject({ ok: true });
    expect(await byFrame.hello({ role: "observer" })).toMatchObject({ ok: true });
    const byHeader = connect({ ...entrance, bearer });
    expect(await byHeader.ask({ cmd: "ping" })).toMatchObject({ ok: true });
  });
});

describe("a way in for one worker", () => {
  const OWN: Entrance = { surface: "local", only: "w1" };

  test("lets in that worker's token and no other, and hangs up on everybody else", async () => {
    const { connect, tokens } = await start();
    const others = [
      undefined,
      tokens.mint({ role: "worker", peer: "w2" }),
      tokens.mint({ role: "worker" }),
      tokens.mint({ role: "orchestrator" }),
      tokens.mint({ role: "orchestrator", peer: "w1" }),
      tokens.mint({ role: "observer", peer: "w1" }),
    ];
    for (const bearer of others) {
      const client = connect(OWN);
      const error = bearer === undefined ? "auth:required" : "auth:invalid";
      expect(await client.hello({ role: "worker", bearer })).toMatchObject({ ok: false, error });
      expect(client.raw.ended()).toBe(true);
    }
    const bearer = tokens.mint({ role: "worker", peer: "w1" });
    expect(await connect(OWN).hello({ bearer, role: "orchestrator" })).toMatchObject({ ok: false, reason: "role" });
    expect(await connect(OWN).hello({ bearer, peerName: "w2" })).toMatchObject({ ok: false, reason: "peer" });
    const client = connect(OWN);
    expect(await client.hello({ bearer })).toMatchObject({ ok: true });
    const renewed = { cmd: "ping", bearer: tokens.mint({ role: "orchestrator" }) };
    expect(await client.ask(renewed)).toMatchObject({ ok: false, error: "auth:invalid" });
  });

  test("takes no signature of older clients for a token", async () => {
    const signedHello = { check: () => "signed" as const };
    const { connect } = await start({ signedHello });
    expect(await connect(OWN).hello({ role: "worker", peerName: "w1" })).toMatchObject({ error: "auth:required" });
  });
});

describe("a token", () => {
  test("fixes role and name, whatever the hello says", async () => {
    const { connect, tokens } = await start();
    const bearer = tokens.mint({ role: "worker", peer: "w1" });
    expect(await connect(NETWORK).hello({ bearer, role: "orchestrator" })).toMatchObject({
      ok: false,
      error: "auth:invalid",
      reason: "role",
    });
    expect(await connect(NETWORK).hello({ bearer, role: "worker", peerName: "w2" })).toMatchObject({
      ok: false,
      error: "auth:invalid",
      reason: "peer",
    });
    const client = connect(NETWORK);
    const { peerId } = await client.hello({ bearer });
    expect(await client.ask({ cmd: "peers" })).toMatchObject({ peers: [{ peerId, role: "worker", peerName: "w1" }] });
  });

  test("of a worker opens nothing that is an orchestrator's, without a hello either", async () => {
    const { connect, tokens } = await start();
    const client = connect({ ...NETWORK, bearer: tokens.mint({ role: "worker" }) });
    const changing = REQUEST_NAMES.filter((cmd) => requestSpec(cmd).from === "any client" && !READING.test(cmd));
    expect(changing.length).toBeGreaterThan(0);
    for (const cmd of changing) {
      expect(await client.ask({ cmd })).toMatchObject({ ok: false, error: "requires role: orchestrator" });
    }
    await client.hello({});
    expect(await client.ask({ cmd: "broadcast", text: "x" })).toMatchObject({
      ok: false,
      error: "requires role: orchestrator",
    });
  });

  test("cannot be changed for one of another role on the same connection, but for a longer one", async () => {
    const { connect, tokens, clock } = await start();
    const client = connect({ ...NETWORK, bearer: tokens.mint({ role: "worker", lifetimeMs: 100 }) });
    expect(await client.ask({ cmd: "ping" })).toMatchObject({ ok: true });
    const higher = tokens.mint({ role: "orchestrator" });
    expect(await client.ask({ cmd: "auth", bearer: higher })).toMatchObject({ ok: false, reason: "role" });
    const longer = tokens.mint({ role: "worker", lifetimeMs: 1000 });
    expect(await client.ask({ cmd: "auth", bearer: longer })).toMatchObject({ ok: true });
    clock.now += 500;
    expect(await client.ask({ cmd: "ping" })).toMatchObject({ ok: true });
  });

  test("that expires ends the connection, at the next frame or by the clock", async () => {
    const { bus, connect, tokens, clock } = await start();
    const bearer = tokens.mint({ role: "observer", lifetimeMs: 100 });
    const asking = connect({ ...NETWORK, bearer });
    const silent = connect({ ...NETWORK, bearer });
    await asking.hello({});
    await silent.hello({});
    clock.now += 100;
    expect(await asking.ask({ cmd: "ping" })).toMatchObject({ ok: false, error: "auth:expired" });
    bus.checkPeers();
    await settle();
    expect([asking.raw.ended(), silent.raw.ended(), silent.frames().at(-1)?.["error"]]).toEqual([
      true,
      true,
      "auth:expired",
    ]);
  });

  test("that is refused on the network ends the connection, locally it does not", async () => {
    const { connect } = await start({ requireToken: true });
    const far = connect(NETWORK);
    const near = connect();
    for (const client of [far, near]) await client.ask({ cmd: "ping" });
    expect([far.raw.ended(), near.raw.ended()]).toEqual([true, false]);
  });
});

describe("a bus with a shared secret", () => {
  const withSecret = () =>
    start({
      signedHello: createSignedHello(
        () => "s3cret",
        () => START,
      ),
    });
  const sign = (nonce: string) => {
    const token = createHmac("sha256", "s3cret").update(`w:worker:${nonce}:${START}`).digest("hex");
    return { peerName: "w", role: "worker", token, nonce, timestamp: START };
  };

  test.each(EVERY_REQUEST)("protects %s, not only hello", async (cmd) => {
    const { connect } = await withSecret();
    expect(await connect().ask({ cmd, protocol: "claws/2", role: "worker" })).toMatchObject({
      ok: false,
      error: "auth:required",
    });
  });

  test("lets in who signs a hello, once for each nonce", async () => {
    const { connect } = await withSecret();
    const client = connect();
    expect(await client.hello(sign("n1"))).toMatchObject({ ok: true });
    expect(await client.ask({ cmd: "ping" })).toMatchObject({ ok: true });
    expect(await connect().hello(sign("n1"))).toMatchObject({ ok: false, error: "auth:invalid" });
    expect(await connect().hello({ ...sign("n2"), role: "orchestrator" })).toMatchObject({
      ok: false,
      error: "auth:invalid",
    });
  });
});

test("on a local socket nobody has to show a token, but a shown one counts", async () => {
  const { connect, tokens } = await start();
  expect(await connect().hello({ role: "orchestrator" })).toMatchObject({ ok: true });
  const bearer = tokens.mint({ role: "worker" });
  expect(await connect().hello({ role: "orchestrator", bearer })).toMatchObject({ ok: false, reason: "role" });
});

describe("a token that was given away", () => {
  const NEWCOMER = { role: "worker", capabilities: ["resume"] };

  async function give() {
    const scene = await start();
    const root = scene.connect();
    await root.hello({ role: "orchestrator" });
    const made = await root.ask({ cmd: "token.create", role: "worker", peer: "ci", lifetimeMs: 60_000 });
    return { ...scene, root, made, bearer: String(made["token"]) };
  }

  test("lets its bearer in over the network, as what it is for and nothing else", async () => {
    const { connect, made, bearer, root } = await give();
    expect(made).toMatchObject({ ok: true, role: "worker", peer: "ci", expiresAt: START + 60_000 });
    expect(await connect(NETWORK).hello({ ...NEWCOMER, bearer })).toMatchObject({ ok: true });
    const others = [{ role: "orchestrator" }, { role: "worker", peerName: "other" }];
    for (const other of others) {
      expect(await connect(NETWORK).hello({ ...other, bearer })).toMatchObject({ ok: false, error: "auth:invalid" });
    }
    const { tokens: listed } = await root.ask({ cmd: "token.list" });
    expect(listed).toEqual([
      {
        tokenId: made["tokenId"],
        role: "worker",
        peer: "ci",
        browser: null,
        createdAt: START,
        expiresAt: START + 60_000,
      },
    ]);
  });

  test("ends when it is revoked, also for who is connected with it, and for nobody else", async () => {
    const { connect, made, bearer, root } = await give();
    const other = await root.ask({ cmd: "token.create", role: "observer" });
    const [worker, watcher] = [connect(NETWORK), connect(NETWORK)];
    await worker.hello({ ...NEWCOMER, bearer });
    await watcher.hello({ role: "observer", bearer: other["token"] });
    expect(await root.ask({ cmd: "token.revoke", tokenId: made["tokenId"] })).toMatchObject({ ok: true });
    await settle();
    expect([worker.raw.ended(), watcher.raw.ended()]).toEqual([true, false]);
    expect(worker.frames().at(-1)).toMatchObject({ ok: false, error: "auth:invalid", reason: "revoked" });
    const refused = { ok: false, error: "auth:invalid", reason: "revoked" };
    expect(await connect(NETWORK).hello({ ...NEWCOMER, bearer })).toMatchObject(refused);
    expect(await root.ask({ cmd: "token.revoke", tokenId: made["tokenId"] })).toMatchObject({
      ok: false,
      code: "NO_SUCH_TOKEN",
    });
  });

  test("is made by an orchestrator alone, for a known role and a time that ends", async () => {
    const { connect, root } = await give();
    const worker = connect();
    await worker.hello({ role: "worker" });
    expect(await worker.ask({ cmd: "token.create", role: "worker" })).toMatchObject({ ok: false });
    for (const junk of [{ role: "king" }, { role: "worker", lifetimeMs: 0 }, { role: "worker", lifetimeMs: 1e15 }]) {
      expect(await root.ask({ cmd: "token.create", ...junk })).toMatchObject({ ok: false });
    }
  });

  test("stands in nothing that others are told", async () => {
    const { root, connect } = await give();
    const watcher = connect();
    await watcher.hello({ role: "observer" });
    await watcher.ask({ cmd: "subscribe", topic: "**", fromCursor: "0000:0" });
    const { token, tokenId } = await root.ask({ cmd: "token.create", role: "worker" });
    await root.ask({ cmd: "token.revoke", tokenId });
    await watcher.ask({ cmd: "token.list" });
    expect([String(token).length > 40, JSON.stringify(watcher.frames()).includes(String(token))]).toEqual([
      true,
      false,
    ]);
  });
});
