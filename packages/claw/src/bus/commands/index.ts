import type { Command } from "./command.ts";
import { hello } from "./hello.ts";
import { peers, ping } from "./inspect.ts";
import { publishCommand } from "./publish.ts";
import { subscribe, unsubscribe } from "./subscribe.ts";

export const COMMANDS: ReadonlyMap<unknown, Command> = new Map<unknown, Command>([
  ["hello", hello],
  ["subscribe", subscribe],
  ["unsubscribe", unsubscribe],
  ["publish", publishCommand],
  ["peers", peers],
  ["ping", ping],
]);
