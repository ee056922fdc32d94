import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { VerbItem, VerbOutput } from "claw-contract";
import { ClawError } from "claw-contract";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../files/testing/temporary-folder.ts";
import { handler } from "./fleet.ts";
import type { Played, PlayedFleet } from "./testing/play-fleet.ts";
import { calling, checking, doing, FINISHING, playFleet, reporting } from "./testing/play-fleet.ts";
import type { Ports, VerbStream } from "../../runtime/handle.ts";
import { createTestPorts, PLAIN } from "../../testing/test-ports.ts";

type Output = VerbOutput<"fleet">;
type Item = VerbItem<"fleet">;

interface Called {
  readonly items: Item[];
  readonly output: Output | undefined;
  readonly error: ClawError | undefined;
}

interface Scene {
  readonly cwd: string;
  readonly fleet: PlayedFleet;
  /** Resolves when the call has ended; `seen` is told every item as it comes. */
  call(flags?: object, more?: { ports?: Partial<Ports>; seen?: (item: Item) => void }): Promise<Called>;
}

async function begin(file: string, played: Played = {}): Promise<Scene> {
  const cwd = temporaryFolder(onTestFinished);
  writeFileSync(join(cwd, "fleet.yaml"), file);
  const fleet = await playFleet(cwd, played);
  const input = { file: "fleet.yaml", keepGoing: false, fresh: false, onInterrupt: "leave", dryRun: false } as const;
  return {
    cwd,
    fleet,
    call: async (flags = {}, { ports = {}, seen = () => undefined } = {}) => {
      const items: Item[] = [];
      try {
        const stream = handler.run({ ...input, ...flags }, createTestPorts(cwd, ports)) as VerbStream<"fleet">;
        let step = await stream.next();
        while (step.done !== true) {
          items.push(step.value);
          seen(step.value);
          step = await stream.next();
        }
        return { items, output: step.value, error: undefined };
      } catch (error) {
        if (!(error instanceof ClawError)) throw error;
        return { items, output: error.options.partial as Output | undefined, error };
      }
    },
  };
}

const FILE = `name: docs
defaults: { harness: fake, env: { A: "1" }, checks: ["true"], on_crash: restart, restarts: 2 }
budget: { usd: 5 }
concurrency: 2
workers:
  - { name: plan, mission: plan it, checks: [] }
  - { name: write, mission: write it, needs: [plan], env: { B: "2" } }
  - { name: check, mission: check it, needs: [plan], worktree: true }
  - { name: merge, mission: merge it, needs: [write, check], checks: [] }
`;

const interrupted = (): ClawError => new ClawError("CANCELLED", "interrupted", { operation: "fleet", target: "docs" });
const passing = (): readonly (typeof FINISHING)[number][] => [...FINISHING, checking(true)];
const statuses = ({ output }: Called): unknown => output?.workers.map(({ name, status }) => `${name} ${status}`);

describe("a fleet", () => {
  test("is started in the order of its needs, with defaults filled in, and its budget set", async () => {
    const scene = await begin(FILE, { deeds: passing });
    const called = await scene.call();
    expect(called.error).toBeUndefined();
    expect(scene.fleet.started).toEqual(["plan", "write", "check", "merge"]);
    expect(scene.fleet.requests[1]).toMatchObject({
      name: "write",
      mission: "write it",
      fleet: "docs",
      harness: "fake",
      mode: "headless",
      env: { A: "1", B: "2" },
      checks: ["true"],
      trouble: { crash: "restart", restarts: 2 },
    });
    expect(scene.fleet.requests[2]).toMatchObject({ worktree: {} });
    expect(called.output).toMatchObject({ done: 4, failed: 0, skipped: 0, total_cost_usd: 0.4, effect: "created" });
    expect(called.items.filter(({ name }) => name === "merge").map(({ status }) => status)).toEqual([
      "starting",
      "running",
      "running",
      "done",
    ]);
    expect(handler.show(called.output as Output, PLAIN)).toMatchInlineSnapshot(`
      "WORKER  PEER      STATUS  RESULT    COST   WHY
      plan    p_000002  done    verified  $0.10  it was ok
      write   p_000003  done    verified  $0.10  it was ok
      check   p_000004  done    verified  $0.10  it was ok
      merge   p_000005  done    verified  $0.10  finished

      4 of 4 workers done, $0.40"
    `);
  });

  test("never runs more at a time than it may", async () => {
    const workers = Array.from({ length: 7 }, (_, index) => `  - { name: w${index}, mission: m, harness: fake }`);
    const scene = await begin(`name: many\nconcurrency: 3\nworkers:\n${workers.join("\n")}\n`);
    let [running, most] = [0, 0];
    const called = await scene.call(
      {},
      {
        seen: ({ name, status, state }) => {
          if (status === "starting") most = Math.max(most, (running += 1));
          if (status === "done") running -= 1;
          if (status === "running" && state === null) void scene.fleet.say(name, ...FINISHING);
        },
      },
    );
    expect([most, called.output?.done]).toEqual([3, 7]);
  });

  test("starts nothing more after a failure, and says whom it skipped and why", async () => {
    const fails = (name: string) => (name === "write" ? [doing("failed"), reporting("failed")] : []);
    const scene = await begin(FILE, { deeds: (name) => (name === "plan" ? FINISHING : fails(name)) });
    const called = await scene.call(
      {},
      {
        seen: ({ name, status }) =>
          void (name === "write" && status === "failed" && scene.fleet.say("check", ...passing())),
      },
    );
    expect(called.error?.code).toBe("FLEET_FAILED");
    expect(called.error?.message).toBe("1 worker failed: write; 1 worker skipped: merge");
    expect(statuses(called)).toEqual(["plan done", "write failed", "check done", "merge skipped"]);
    expect(called.output?.workers[3]?.reason).toBe("it needs write, which failed");
  });

  test("goes on with those who do not need what failed when asked to, and otherwise not", async () => {
    const file = `name: x\nconcurrency: 1\nworkers:\n${["a", "b", "c"].map((name) => `  - { name: ${name}, mission: m, harness: fake }`).join("\n")}\n`;
    const deeds = (name: string) => (name === "a" ? [doing("failed"), reporting("failed")] : FINISHING);
    const one = await begin(file, { deeds });
    expect(statuses(await one.call())).toEqual(["a failed", "b skipped", "c skipped"]);
    const other = await begin(file, { deeds });
    expect(statuses(await other.call({ keepGoing: true }))).toEqual(["a failed", "b done", "c done"]);
  });

  test("counts a worker as done only when its checks have passed", async () => {
    const deeds = (name: string) => [...FINISHING, ...(name === "plan" ? [] : [checking(name !== "write")])];
    const called = await (await begin(FILE, { deeds })).call({ keepGoing: true });
    expect(statuses(called)).toEqual(["plan done", "write failed", "check done", "merge skipped"]);
  });

  test("waits for a worker that is started anew, and gives up on one that is not", async () => {
    const crash = [doing("failed"), calling("restart")];
    const scene = await begin("name: x\nworkers:\n  - { name: a, mission: m, harness: fake }\n", {
      deeds: () => crash,
    });
    const again = ({ state }: Item): void => {
      if (state === "failed") void scene.fleet.say("a", doing("working"), doing("gone"), calling("alert"));
    };
    const called = await scene.call({}, { seen: again });
    expect(called.items.map(({ status, state }) => `${status} ${state}`)).toEqual([
      "starting null",
      "running null",
      "running failed",
      "running working",
      "running gone",
      "failed gone",
    ]);
  });

  test("names a worker that could not be started, by the code of the refusal", async () => {
    const scene = await begin(FILE, { refuse: () => "WORKTREE_FAILED" });
    const called = await scene.call();
    expect(called.output?.workers[0]).toMatchObject({
      status: "failed",
      reason: "WORKTREE_FAILED: no",
      peer_id: null,
    });
  });
});

describe("a fleet that is called again", () => {
  test("goes on with who is there and starts nobody twice", async () => {
    const scene = await begin(FILE, { deeds: (name) => (name === "plan" ? FINISHING : [doing("working")]) });
    const stop = new AbortController();
    const first = await scene.call(
      {},
      {
        ports: { signal: stop.signal },
        seen: ({ name, state }) => {
          if (name === "check" && state === "working") stop.abort(interrupted());
        },
      },
    );
    expect(first.error).toMatchObject({ code: "CANCELLED" });
    expect(first.error?.options.hint).toMatch("go on: claw ps");
    const second = await scene.call(
      {},
      {
        seen: ({ name, state }) => void (state === "working" && scene.fleet.say(name, ...passing())),
      },
    );
    expect(scene.fleet.started).toEqual(["plan", "write", "check", "merge"]);
    expect(second.output?.workers.map(({ adopted }) => adopted)).toEqual([true, true, true, false]);
    const third = await scene.call();
    expect(third.output).toMatchObject({ done: 4, effect: "noop" });
    const fresh = scene.call(
      { fresh: true },
      {
        seen: ({ name, state }) => void (state === "working" && scene.fleet.say(name, ...passing())),
      },
    );
    expect(await fresh).toMatchObject({ output: { done: 4, effect: "created" } });
    expect(scene.fleet.started).toHaveLength(8);
  });

  test("at the same time follows those that the other call has started, and both end well", async () => {
    const started: string[] = [];
    const isTaken = (name: string): boolean => started.includes(name) || started.push(name) === 0;
    const scene = await begin(FILE, {
      deeds: passing,
      refuse: (name) => (isTaken(name) ? "WORKER_NAME_TAKEN" : undefined),
    });
    const calls = await Promise.all([scene.call(), scene.call()]);
    expect(calls.map(({ output }) => output?.done)).toEqual([4, 4]);
    expect(scene.fleet.started).toHaveLength(4);
  });

  test("starts a worker again that died for the last time", async () => {
    const life = { isSecond: false };
    const dying = [doing("working"), doing("failed"), calling("alert")];
    const scene = await begin(FILE, { deeds: () => (life.isSecond ? passing() : dying) });
    expect((await scene.call()).error).toMatchObject({ code: "FLEET_FAILED" });
    life.isSecond = true;
    const again = await scene.call();
    expect(again.output?.workers[0]).toMatchObject({ status: "done", adopted: false });
  });

  test("stops its workers on an interruption when that was asked for", async () => {
    const scene = await begin(FILE, { deeds: () => [doing("working")] });
    const stop = new AbortController();
    const called = await scene.call(
      { onInterrupt: "abort" },
      {
        ports: { signal: stop.signal },
        seen: ({ state }) => {
          if (state === "working") stop.abort(interrupted());
        },
      },
    );
    expect(called.error?.options.hint).toMatch("were told to stop");
    const { events } = await scene.fleet.log.read(0);
    expect(events.filter(({ topic }) => topic.endsWith(".abort"))).toHaveLength(1);
  });
});

test("a dry run says what would be started, and asks nobody", async () => {
  const scene = await begin(FILE);
  const { output } = await scene.call({ dryRun: true });
  expect(scene.fleet.started).toEqual([]);
  expect(handler.show(output as Output, PLAIN)).toMatchInlineSnapshot(`
    "Would start the fleet docs:
    WORKER  WHEN
    plan    at once
    write   after plan
    check   after plan
    merge   after write, check"
  `);
});
