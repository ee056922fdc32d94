import type { JsonObject } from "claw-contract";
import { FakeScenario } from "claw-contract/schemas";
import type { FakeScenarioText } from "claw-contract/schemas";
import { playFakeAgent } from "../play-fake-agent.ts";
import type { ProcessEnding } from "../stage.ts";
import type { MemoryStage } from "./memory-stage.ts";
import { createMemoryStage } from "./memory-stage.ts";

export interface Played {
  readonly ending: ProcessEnding;
  /** Lines of stdout that are objects. */
  readonly events: readonly JsonObject[];
  readonly stdout: string;
  readonly stderr: string;
  readonly stage: MemoryStage;
}

export interface PlayOptions {
  /** What is on stdin; closed behind it, unless there are replies. */
  readonly stdin?: string;
  /** What is sent for a line of stdout: lines of JSON, or the end of stdin. */
  readonly reply?: (event: JsonObject, stage: MemoryStage) => readonly JsonObject[] | "close" | undefined;
  readonly env?: Readonly<Record<string, string>>;
  /** A made-up folder unless one is named. */
  readonly cwd?: string;
  /** Whether stdin is closed although there are replies. */
  readonly closesInput?: boolean;
}

const parse = (line: string): JsonObject | undefined => {
  try {
    return JSON.parse(line) as JsonObject;
  } catch {
    return undefined;
  }
};

const eventsOf = (stdout: string): JsonObject[] =>
  stdout.split("\n").flatMap((line) => {
    const event = parse(line);
    return event === undefined ? [] : [event];
  });

/** Plays a scenario without a process, and waits until it ends. */
export async function playInMemory(
  agent: "claude" | "codex",
  argv: readonly string[],
  scenario: FakeScenarioText,
  { stdin = "", reply, env = {}, cwd = "/project", closesInput = reply === undefined }: PlayOptions = {},
): Promise<Played> {
  const answer = (line: string): void => {
    const event = parse(line);
    const sent = event === undefined ? undefined : reply?.(event, stage);
    if (sent === "close") stage.closeInput();
    else for (const object of sent ?? []) stage.send(`${JSON.stringify(object)}\n`);
  };
  const stage = createMemoryStage((text) => text.split("\n").forEach(answer));
  stage.send(stdin);
  if (closesInput) stage.closeInput();
  const play = { argv, scenario: FakeScenario.parse(scenario), cwd, env, stage };
  const ending = await playFakeAgent(agent, play);
  const stdout = stage.stdout();
  return { ending, events: eventsOf(stdout), stdout, stderr: stage.stderr(), stage };
}
