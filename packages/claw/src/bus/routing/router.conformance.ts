import { expect, test } from "vitest";
import { until } from "../../process/testing/until.ts";
import type { Asked, Router } from "./router.ts";

export interface RouterSubject {
  /** Routers of machines with these names. */
  readonly open: (...machines: string[]) => Promise<readonly Router[]>;
  /** Ends the daemon of a machine without a word. */
  readonly kill: (machine: string) => Promise<void>;
}

const BIG = 3 * 1024 * 1024;

/** What every router promises. */
export function routerConformance({ open, kill }: RouterSubject): void {
  const openTwo = async (): Promise<readonly [Router, Router]> => (await open("one", "two")) as [Router, Router];

  test("brings a question to a machine, says which machine asks, and brings the answer back", async () => {
    const [one, two] = await openTwo();
    two.serve(({ from, question }) => Promise.resolve(`${from} asked ${question}`));
    one.serve(({ from, question }) => Promise.resolve(`${from} wanted ${question}`));
    expect(await one.ask("two", "ä\n?")).toBe("one asked ä\n?");
    expect(await two.ask("one", "")).toBe("two wanted ");
    expect(one.machine).toBe("one");
  });

  test("keeps many questions at once apart, whatever the order of their answers", async () => {
    const [one, two] = await openTwo();
    const waiting: (() => void)[] = [];
    two.serve(({ question }) => new Promise((resolve) => waiting.unshift(() => resolve(`answer ${question}`))));
    const asked = Array.from({ length: 50 }, (_, n) => one.ask("two", `${n}`));
    await until("all questions to come", () => waiting.length === 50);
    for (const answer of waiting) answer();
    expect(await Promise.all(asked)).toEqual(asked.map((_, n) => `answer ${n}`));
  });

  test("carries texts larger than a message", async () => {
    const [one, two] = await openTwo();
    const big = "äb".repeat(BIG / 3);
    two.serve(({ question }) => Promise.resolve(`${question}!`));
    expect(await one.ask("two", big)).toBe(`${big}!`);
  });

  test("says that a machine is away when it never was there, and when it does not serve", async () => {
    const [one] = await openTwo();
    const away = { code: "MACHINE_AWAY", options: { target: "none" } };
    await expect(one.ask("none", "x")).rejects.toMatchObject(away);
    for (const name of ["*", "two.>", "two x", ""]) {
      await expect(one.ask(name, "x")).rejects.toMatchObject({ code: "MACHINE_AWAY" });
    }
    await expect(one.ask("two", "x")).rejects.toMatchObject({ code: "MACHINE_AWAY" });
  });

  test("says that a machine is away when its daemon ends while a question waits", async () => {
    const [one, two] = await openTwo();
    let heard = 0;
    two.serve(() => new Promise(() => void (heard += 1)));
    const asked = one.ask("two", "x");
    const failure = asked.catch((error: unknown) => error);
    await until("the question to come", () => heard === 1);
    await kill("two");
    expect(await failure).toMatchObject({ code: "MACHINE_AWAY" });
  });

  test("says so when the other daemon cannot answer", async () => {
    const [one, two] = await openTwo();
    two.serve(() => Promise.reject(new Error("secret")));
    const failed = await one.ask("two", "x").catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: "MACHINE_AWAY" });
    expect(String(failed)).not.toContain("secret");
  });

  test("a question that is given up rejects with the signal's reason, and the other daemon is told", async () => {
    const [one, two] = await openTwo();
    let asked: Asked | undefined;
    two.serve((question) => new Promise(() => void (asked = question)));
    const leaving = new AbortController();
    const failure = one.ask("two", "x", leaving.signal).catch((error: unknown) => error);
    await until("the question to come", () => asked !== undefined);
    leaving.abort(new Error("enough"));
    expect(await failure).toEqual(new Error("enough"));
    await until("the other daemon to be told", () => asked?.signal.aborted);
    await expect(one.ask("two", "x", AbortSignal.abort(new Error("before")))).rejects.toThrow("before");
  });
}
