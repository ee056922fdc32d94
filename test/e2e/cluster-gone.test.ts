import { expect, onTestFinished, test } from "vitest";
import type { Frame } from "./daemon-process.ts";
import { isAlive, killHard } from "./daemon-process.ts";
import { on, startCluster, topicsOf, untilState } from "./cluster-scene.ts";

test("a worker of a machine that is gone is left alone, its question is answered elsewhere, and it goes on when it is back", async () => {
  const { machines } = await startCluster(["one", "two", "three"]);
  const [one, two, three] = machines;
  const spawn = ["spawn", "--harness", "fake", "--scenario", "permission", "--name", "w", "go"];
  const started = await on(two, ...spawn);
  expect(started.error).toBeUndefined();
  const pid = Number(started["pid"]);
  onTestFinished(() => {
    if (isAlive(pid)) process.kill(pid, "SIGKILL");
  });
  const { approvals } = await untilState(one, "w", "needs_input");
  const [id = ""] = approvals as string[];
  await killHard(two.daemon.pid);
  await untilState(one, "w", "stale");
  expect((await on(one, "approve", id)).error).toMatchObject({ code: "MACHINE_AWAY", retryable: true });
  expect(await untilState(one, "w", "gone")).toMatchObject({ reason: "machine two is not heard", ended: false });
  await untilState(three, "w", "gone");
  // Nothing that may still run is taken over.
  expect(isAlive(pid)).toBe(true);
  expect((await on(one, ...spawn)).error).toMatchObject({ code: "WORKER_NAME_TAKEN" });
  expect((await on(one, "abort", "w")).error).toMatchObject({ code: "MACHINE_AWAY" });
  const raced = await Promise.all([on(one, "approve", id), on(three, "reject", id)]);
  const errors = raced.flatMap(({ error }) => (error as Frame | undefined)?.["code"] ?? []);
  expect(errors).toEqual(["APPROVAL_ANSWERED"]);
  await two.startAgain();
  await untilState(one, "w", "finished");
  const topics = await topicsOf(one);
  expect(topics.filter((topic) => topic === "system.approval.answered")).toHaveLength(1);
  expect(topics.filter((topic) => /^cmd\.[^.]+\.(?:approve|reject)$/.test(String(topic)))).toHaveLength(1);
  expect(topics.filter((topic) => topic === "system.worker.spawned")).toHaveLength(1);
  expect(topics).not.toContain("system.worker.removed");
}, 240_000);
