import { CLOSE_ORIGINS } from "claw-contract";
import { expect, test } from "vitest";
import type { ClosedTerminal, Terminals } from "./terminals.ts";

export interface TerminalsSubject {
  readonly terminals: Terminals;
  /** Opens a terminal whose program keeps every text it is given; resolves with its id when it takes texts. */
  readonly openTerminal: (correlationId?: string) => Promise<string>;
  /** The texts that its program was given so far, each up to its Enter. Resolves when there are that many. */
  readonly taken: (terminalId: string, count: number) => Promise<readonly string[]>;
  /** Lets the program end by itself. Resolves when its terminal is closed. */
  readonly endProgram: (terminalId: string) => Promise<void>;
}

const LINES = 'first line\nsecond [line]: {"a":"ü"}';

function listen(terminals: Terminals): { told: ClosedTerminal[]; stop: () => void } {
  const told: ClosedTerminal[] = [];
  return { told, stop: terminals.onClosed((closed) => void told.push(closed)) };
}

function typingConformance(start: () => Promise<TerminalsSubject>): void {
  test("a text is typed and entered, a pasted one with all its lines at once", async () => {
    const { terminals, openTerminal, taken } = await start();
    const id = await openTerminal();
    await terminals.inject(id, "ls", { paste: false });
    await terminals.inject(id, LINES, { paste: true });
    expect(await taken(id, 2)).toEqual(["ls", LINES]);
  });

  test("texts are typed in the order of the calls, and into the named terminal only", async () => {
    const { terminals, openTerminal, taken } = await start();
    const [first, second] = [await openTerminal(), await openTerminal()];
    expect(first).not.toBe(second);
    const texts = Array.from({ length: 20 }, (_, index) => `text ${index}`);
    await Promise.all(texts.map((text, index) => terminals.inject(first, text, { paste: index % 2 === 0 })));
    await terminals.inject(second, "other", { paste: true });
    expect([await taken(first, 20), await taken(second, 1)]).toEqual([texts, ["other"]]);
  });

  test("nothing is typed into a terminal that is not open", async () => {
    const { terminals, openTerminal } = await start();
    const id = await openTerminal();
    await terminals.close(id, "user");
    for (const gone of [id, "no-such-terminal"]) {
      await expect(terminals.inject(gone, "x", { paste: true })).rejects.toMatchObject({
        code: "TERMINAL_NOT_FOUND",
        target: gone,
      });
    }
  });
}

function closingConformance(start: () => Promise<TerminalsSubject>): void {
  test("a terminal is closed once, and told of when it is", async () => {
    const { terminals, openTerminal } = await start();
    const { told } = listen(terminals);
    const id = await openTerminal("c-1");
    const outcomes = await Promise.all([terminals.close(id, "marker"), terminals.close(id, "user")]);
    expect(outcomes.toSorted()).toEqual([false, true]);
    expect(told).toMatchObject([{ terminalId: id, origin: outcomes[0] ? "marker" : "user", correlationId: "c-1" }]);
    expect([await terminals.close(id, "user"), await terminals.close("no-such-terminal", "user")]).toEqual([
      false,
      false,
    ]);
    expect(told).toHaveLength(1);
  });

  test("a program that ends by itself closes its terminal", async () => {
    const { terminals, openTerminal, endProgram } = await start();
    const { told } = listen(terminals);
    const id = await openTerminal();
    await endProgram(id);
    expect(told).toMatchObject([{ terminalId: id }]);
    expect(CLOSE_ORIGINS).toContain(told[0]?.origin);
    expect(await terminals.close(id, "user")).toBe(false);
  });

  test("everybody who asked is told, until they ask no more", async () => {
    const { terminals, openTerminal } = await start();
    const [first, second] = [listen(terminals), listen(terminals)];
    first.stop();
    const id = await openTerminal();
    await terminals.close(id, "timeout");
    expect([first.told, second.told]).toMatchObject([[], [{ terminalId: id, origin: "timeout" }]]);
  });

  test("what is open is known, and no longer when its closing is told", async () => {
    const { terminals, openTerminal } = await start();
    const [first, second] = [await openTerminal(), await openTerminal()];
    expect(terminals.open().toSorted()).toEqual([first, second].toSorted());
    let left: readonly string[] = [];
    terminals.onClosed(() => (left = terminals.open()));
    await terminals.close(first, "user");
    expect([left, terminals.open()]).toEqual([[second], [second]]);
  });
}

/** What every kind of terminals promises the bus. */
export function terminalsConformance(start: () => Promise<TerminalsSubject>): void {
  typingConformance(start);
  closingConformance(start);

  test("says what it is made of", async () => {
    const { loaded, loadedFrom } = (await start()).terminals.pty();
    expect(loaded).toBe(loadedFrom !== null);
  });
}
