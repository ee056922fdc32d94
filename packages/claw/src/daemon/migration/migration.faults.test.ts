import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { append, collect, event } from "../../bus/log/log.conformance.ts";
import { logLine, openDurableStore } from "../../bus/index.ts";
import type { NatsSuite } from "../../cluster/testing/nats-suite.ts";
import { describeOnNats } from "../../cluster/testing/nats-suite.ts";
import { openClusterDurables, openConnection, openNatsBucket } from "../../cluster/index.ts";
import { preview, toFolder, toOldLog, toStream } from "./doors.ts";
import { readMark } from "./folder-mark.ts";
import type { MigrationScene } from "./testing/migration-scene.ts";
import { line, linesUpTo, startMigrationScene } from "./testing/migration-scene.ts";

const UMASK = process.umask();
afterEach(() => void process.umask(UMASK));

const begin = (nats: NatsSuite): MigrationScene => startMigrationScene(nats.server().url, nats.name(), onTestFinished);

const stored = async (scene: MigrationScene): Promise<string[]> =>
  (await collect(await scene.openLog())).map((each) => logLine(each).trimEnd());

const isOld = ({ version }: NatsSuite): boolean => /^2\.[0-9]\./.test(version);

function moving(nats: NatsSuite): void {
  test("copies every event to the byte, with its sequence, sender and time", async () => {
    const scene = begin(nats);
    const odd = [
      '{"topic":"note.x","from":"server","ts_server":"2026-01-01T00:00:00.000Z","sequence":2}',
      line(3, '{ "spaced" : 1.0, "big": 12345678901234567890, "text": "ä\\u0000\\n 😀" }'),
      line(4, '""'),
      line(5, "null", ". segment .é"),
    ];
    scene.putLog({ 1: [line(1), ...odd] });
    const moved = await toStream(scene.call(), scene.cluster);
    expect(moved).toMatchObject({ events: 5, first: 1, last: 5, copied: 5, holes: 0, effect: "created" });
    expect(moved).toMatchObject({
      epoch: "0001",
      cursors: "continue",
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(await stored(scene)).toEqual([line(1), ...odd]);
    expect(scene.lines()).toEqual([line(1), ...odd]);
  });

  test("moves there and back, and each time goes on where the log was", async () => {
    const scene = begin(nats);
    scene.putLog({ 1: linesUpTo(4), 5: linesUpTo(9, 5) });
    await toStream(scene.call(), scene.cluster);
    const log = await scene.openLog();
    expect([log.epoch, await append(log, event("note.y"))]).toEqual(["0001", 10]);
    const all = (await collect(log)).map((each) => logLine(each).trimEnd());
    await log.close();
    expect(await toFolder(scene.call(), scene.cluster)).toMatchObject({
      last: 10,
      cursors: "continue",
      effect: "updated",
    });
    expect(scene.lines()).toEqual(all);
    await expect(scene.openLog()).rejects.toMatchObject({ code: "LOG_MOVED" });
    expect(await toFolder(scene.call(), scene.cluster)).toMatchObject({ last: 10, effect: "noop" });
    const more = [...all, line(11)];
    scene.putLog({ 1: more });
    expect(await toStream(scene.call(), scene.cluster)).toMatchObject({ copied: 1, last: 11, cursors: "continue" });
    expect(await stored(scene)).toEqual(more);
    expect(await toStream(scene.call(), scene.cluster)).toMatchObject({ effect: "noop", last: 11 });
  });

  test("an event that counts nowhere in the cluster counts nowhere in the folder either", async () => {
    const scene = begin(nats);
    const log = await scene.openLog();
    const under = (number: number) => append(log, { ...event(`note.${number}`), lease: { key: "once.day", number } });
    for (const number of [3, 5, 3, 5]) await under(number);
    await log.close();
    expect(await toFolder(scene.call(), scene.cluster)).toMatchObject({ events: 4, holes: 1 });
    const topics = scene.lines().map((each) => (JSON.parse(each) as { topic: string }).topic);
    expect(topics).toEqual(["note.3", "note.5", "system.log.hole", "note.5"]);
    scene.putLog({ 1: [...scene.lines(), line(5)] });
    expect(await toStream(scene.call(), scene.cluster)).toMatchObject({ copied: 1, holes: 1, cursors: "continue" });
  });

  test("an event that cannot be read any more has a hole in its place, and those after it keep their sequences", async () => {
    const scene = begin(nats);
    scene.putLog({ 1: [line(1), "damaged", line(3)], 4: ["damaged", line(5).slice(0, 30)], 7: [line(7)] });
    expect(await toStream(scene.call(), scene.cluster)).toMatchObject({ events: 7, holes: 4, cursors: "continue" });
    const events = await collect(await scene.openLog());
    expect(events.map(({ sequence, topic, payload }) => `${sequence} ${topic} ${payload}`)).toEqual([
      '1 note.x {"n":1}',
      '2 system.log.hole {"sequence":2}',
      '3 note.x {"n":3}',
      ...[4, 5, 6].map((sequence) => `${sequence} system.log.hole {"sequence":${sequence}}`),
      '7 note.x {"n":7}',
    ]);
  });

  test("a log whose beginning was removed keeps its sequences, where the servers can do that", async () => {
    const scene = begin(nats);
    scene.putLog({ 501: linesUpTo(510, 501) });
    const refused = { code: "NATS_STREAM_UNFIT", options: { details: { field: "first_seq" } } };
    const moved = { events: 10, first: 501, last: 510, cursors: "continue" };
    const outcome = await toStream(scene.call(), scene.cluster).catch((error: unknown) => error);
    expect(outcome).toMatchObject(isOld(nats) ? refused : moved);
    expect(readMark({ moved: join(scene.cwd, ".claws/moved.json") }) === undefined).toBe(isOld(nats));
    const log = await scene.openLog();
    const lines = (await collect(log)).map((each) => logLine(each).trimEnd());
    const isThere = !isOld(nats);
    expect([log.oldest(), log.head(), lines]).toEqual(isThere ? [501, 510, linesUpTo(510, 501)] : [1, 0, []]);
  });
}

function refusing(nats: NatsSuite): void {
  test("a stream that holds events of another log is refused, and stays as it is", async () => {
    const scene = begin(nats);
    const log = await scene.openLog("bob");
    await append(log, event("note.other"));
    await log.close();
    scene.putLog({ 1: linesUpTo(3) });
    await expect(toStream(scene.call(), scene.cluster)).rejects.toMatchObject({ code: "MIGRATION_TARGET_USED" });
    const again = await scene.openLog("bob");
    expect((await collect(again)).map(({ topic }) => topic)).toEqual(["note.other"]);
  });

  test("a log that went on after it was moved is refused", async () => {
    const scene = begin(nats);
    scene.putLog({ 1: linesUpTo(3) });
    await toStream(scene.call(), scene.cluster);
    await toOldLog(scene.call());
    scene.putLog({ 1: linesUpTo(5) }, "0002");
    await expect(toStream(scene.call(), scene.cluster)).rejects.toMatchObject({ code: "MIGRATION_TARGET_USED" });
  });

  test("a copy that differs is not taken into use, and the old log is as it was", async () => {
    const scene = begin(nats);
    scene.putLog({ 1: linesUpTo(3) });
    await toStream(scene.call(), scene.cluster);
    const { created } = await infoOf(nats, scene);
    const incoming = join(scene.cwd, ".claws/incoming/log");
    mkdirSync(incoming, { recursive: true, mode: 0o700 });
    const plan = { cluster: scene.cluster.cluster, created };
    writeFileSync(join(incoming, "../plan.json"), JSON.stringify(plan));
    writeFileSync(join(incoming, "000000000001.jsonl"), `${line(1)}\n${line(2, '{"n":"other"}')}\n`);
    await expect(toFolder(scene.call(), scene.cluster)).rejects.toMatchObject({ code: "MIGRATION_MISMATCH" });
    expect(scene.lines()).toEqual(linesUpTo(3));
    expect(await stored(scene)).toEqual(linesUpTo(3));
  });

  test("no daemon starts on a stream that is not yet filled, and the call that goes on is not disturbed", async () => {
    const scene = begin(nats);
    scene.putLog({ 1: linesUpTo(4000) });
    const end = new AbortController();
    const progress = (step: string): void => (step === "copy" ? end.abort(new Error("cut off")) : undefined);
    await expect(toStream(scene.call({ signal: end.signal, progress }), scene.cluster)).rejects.toThrow("cut off");
    await expect(scene.openLog()).rejects.toMatchObject({ code: "MIGRATION_UNFINISHED" });
    await expect(toFolder(scene.call(), scene.cluster)).rejects.toMatchObject({ code: "MIGRATION_UNFINISHED" });
    const moved = await toStream(scene.call(), scene.cluster);
    expect(moved).toMatchObject({ events: 4000, last: 4000, cursors: "continue" });
    expect(moved.copied).toBeLessThan(4000);
    expect(await stored(scene)).toEqual(linesUpTo(4000));
  });

  test("a machine that was cut off while the log went back into a folder ends when it is there again", async () => {
    const scene = begin(nats);
    scene.putLog({ 1: linesUpTo(3) });
    await toStream(scene.call(), scene.cluster);
    const log = await scene.openLog("bob");
    await toFolder(scene.call(), scene.cluster);
    await nats.server().kill();
    await nats.restart();
    expect(await log.lost).toMatchObject({ code: "NATS_STREAM_REPLACED" });
    await expect(scene.openLog("bob")).rejects.toMatchObject({ code: "LOG_MOVED" });
  });

  test("what is not there is not moved, and a dry run changes nothing", async () => {
    const scene = begin(nats);
    const none = { code: "LOG_NOT_FOUND" };
    await expect(toStream(scene.call(), scene.cluster)).rejects.toMatchObject(none);
    await expect(toFolder(scene.call(), scene.cluster)).rejects.toMatchObject(none);
    scene.putLog({ 1: linesUpTo(3) });
    const before = readdirSync(join(scene.cwd, ".claws"), { recursive: true });
    const plan = await preview("stream", scene.call(), scene.cluster);
    expect(plan).toMatchObject({ events: 3, copied: 3, sha256: null, effect: "would_create" });
    expect(readdirSync(join(scene.cwd, ".claws"), { recursive: true })).toEqual(before);
    await expect(preview("folder", scene.call(), scene.cluster)).rejects.toMatchObject(none);
  });
}

async function infoOf(nats: NatsSuite, { cluster }: MigrationScene): Promise<{ readonly created: string }> {
  const { jetstreamManager } = await import("@nats-io/jetstream");
  return (await jetstreamManager(await nats.connect())).streams.info(`claw_${cluster.cluster}`);
}

function epochs(nats: NatsSuite): void {
  test("a cluster that had a log before gives the moved one a new epoch, so that no cursor means another event", async () => {
    const scene = begin(nats);
    const log = await scene.openLog("bob");
    await append(log, event("note.other"));
    await log.close();
    await scene.deleteStream();
    scene.putLog({ 1: linesUpTo(3) });
    expect(await toStream(scene.call(), scene.cluster)).toMatchObject({ epoch: "0002", cursors: "gap" });
    expect((await scene.openLog()).epoch).toBe("0002");
  });

  test("a folder with a log of its own sets that log aside, and gives the other one a new epoch", async () => {
    const scene = begin(nats);
    const log = await scene.openLog();
    await append(log, event("note.other"));
    await log.close();
    scene.putLog({ 1: linesUpTo(3) });
    const moved = await toFolder(scene.call(), scene.cluster);
    expect(moved).toMatchObject({ epoch: "0002", cursors: "gap", effect: "updated", last: 1 });
    expect(readFileSync(join(moved.kept, "log/000000000001.jsonl"), "utf8").split("\n")).toHaveLength(4);
    expect(existsSync(join(scene.cwd, ".claws/incoming"))).toBe(false);
  });

  test("the old log goes on under an epoch that neither log had", async () => {
    const scene = begin(nats);
    scene.putLog({ 1: linesUpTo(3) }, "0004");
    await toStream(scene.call(), scene.cluster);
    expect(await toOldLog(scene.call())).toMatchObject({ epoch: "0005", cursors: "gap", last: 3, effect: "updated" });
    expect(await toOldLog(scene.call())).toMatchObject({ epoch: "0005", effect: "noop" });
    expect(scene.lines()).toEqual(linesUpTo(3));
  });

  test("readers of durable subscriptions keep their places, there and back", async () => {
    const scene = begin(nats);
    scene.putLog({ 1: linesUpTo(6) });
    const directory = join(scene.cwd, ".claws/durable");
    await openDurableStore(directory).save({ name: "audit", topic: "note.*", epoch: "0001", acked: 2 });
    await toStream(scene.call(), scene.cluster);
    const connection = await openConnection({ url: nats.server().url, name: "ann" });
    onTestFinished(() => connection.close());
    const bucket = await openNatsBucket(connection.nats, { name: `claw_${scene.cluster.cluster}_durables` });
    const durables = await openClusterDurables(bucket);
    onTestFinished(() => durables.close());
    expect(durables.all()).toEqual([{ name: "audit", topic: "note.*", epoch: "0001", acked: 2 }]);
    await durables.attach("audit");
    await durables.save({ name: "audit", topic: "note.*", epoch: "0001", acked: 5 });
    await toFolder(scene.call(), scene.cluster);
    expect(openDurableStore(directory).get("audit")).toMatchObject({ epoch: "0001", acked: 5 });
  });
}

describeOnNats("a log that moves", "jetstream: { max_file_store: 1TB }", (nats) => {
  describe("is the same afterwards", () => {
    moving(nats);
  });
  describe("is moved whole or not at all", () => {
    refusing(nats);
  });
  describe("has cursors that never mean another event", () => {
    epochs(nats);
  });
});
