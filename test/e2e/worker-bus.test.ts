import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import { openAgentScene } from "./agent-scene.ts";
import { beginClaw, connectWire, stopAfterTest } from "./daemon-process.ts";
import { clawJson } from "./run-claw.ts";
import { secretFile } from "./workspace.ts";
import { say, use } from "../model-server/model-scenario.ts";

/** Runs in the worker's sandbox: tries every way to the bus, and writes down what came of each. */
const RAID = `
import { connect } from "node:net";
import { existsSync, readdirSync, renameSync, writeFileSync } from "node:fs";
const { CLAWS_SOCKET: own, CLAWS_TOKEN: bearer, CLAWS_PEER_NAME: name, CLAW_MAIN: main } = process.env;
const ask = (path, ...requests) => new Promise((resolve) => {
  const socket = connect(path);
  let text = "";
  const answer = () => resolve(text.trim().split("\\n").map((line) => JSON.parse(line || "null")).filter((frame) => frame?.rid !== undefined));
  socket.on("error", (error) => resolve([error.code]));
  socket.on("close", answer);
  socket.on("data", (chunk) => { text += chunk; if (text.split('"rid":').length > requests.length) { socket.destroy(); answer(); } });
  requests.forEach((request, id) => socket.write(JSON.stringify({ id, ...request }) + "\\n"));
});
const hello = { cmd: "hello", protocol: "claws/2", role: "worker", peerName: name };
const tried = {
  main: await ask(main, hello),
  bare: await ask(own, hello),
  orchestrator: await ask(own, { ...hello, role: "orchestrator", bearer }),
  other: await ask(own, { ...hello, peerName: "somebody", bearer }),
  publish: await ask(own, { ...hello, bearer }, { cmd: "publish", topic: "cmd.p_000001.abort", payload: {} }),
  program: await ask(own, { ...hello, bearer }, { cmd: "worker.spawn", harness: "fake", mission: "x", env: { NODE_OPTIONS: "-r evil" } }),
  right: await ask(own, { ...hello, role: "observer", bearer }),
  seen: existsSync(".claws") ? readdirSync(".claws") : [],
};
writeFileSync("tried.part", JSON.stringify({ ...tried, bearer }));
renameSync("tried.part", "tried.json"); // whole as soon as it is there
`;

test("a sandboxed worker reaches the bus by its own socket alone, as itself alone, and as long as it lives", async () => {
  const command = "CLAW_MAIN=$PWD/.claws/claws.sock node raid.mjs; until [ -e over ]; do sleep 0.1; done";
  const scene = await openAgentScene({ turns: [use("bash", { command, timeout: 100_000 }), say("done")] });
  const { workspace, env } = scene;
  writeFileSync(join(workspace.cwd, "raid.mjs"), RAID);
  stopAfterTest(workspace);
  await clawJson(workspace, ["up", "--require-token"], { env });
  const order = ["spawn", "--harness", "claw", "--name", "mine", "--permission-mode", "workspace-write", "look"];
  const { peer_id: peerId } = await clawJson(workspace, order, { env });
  const report = join(workspace.cwd, "tried.json");
  await until("the raid", () => existsSync(report));
  const tried = JSON.parse(readFileSync(report, "utf8")) as Record<string, unknown>;
  const refused = { ok: false };
  expect(tried).toMatchObject({
    main: ["ENOENT"],
    bare: [{ ...refused, error: "auth:required" }],
    orchestrator: [{ ...refused, error: "auth:invalid", reason: "role" }],
    other: [{ ...refused, error: "auth:invalid", reason: "peer" }],
    publish: [{ ok: true }, refused],
    program: [{ ok: true }, refused],
    right: [{ ok: true }],
    seen: [],
  });
  const socket = secretFile(workspace, join("workers", String(peerId), "bus.sock"));
  expect(existsSync(socket)).toBe(true);
  const stranger = await connectWire(socket);
  const bearer = readFileSync(secretFile(workspace, "orchestrator.token"), "utf8").trim();
  const hello = { cmd: "hello", protocol: "claws/2", role: "orchestrator", bearer };
  expect(await stranger.ask(hello)).toMatchObject({ ...refused, error: "auth:invalid" });
  const sidecar = beginClaw(workspace, ["stream-events"], {
    CLAWS_SOCKET: socket,
    CLAWS_TOKEN: String(tried["bearer"]),
    CLAWS_PEER_NAME: "mine",
  });
  await sidecar.line("its subscription", (line) => line.includes("sidecar.subscribed"));
  writeFileSync(join(workspace.cwd, "over"), "");
  await until("the socket to go with its worker", () => !existsSync(socket));
});
