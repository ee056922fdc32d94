import { readdirSync, readFileSync } from "node:fs";
import type { Row } from "../suite.ts";
import { row } from "../suite.ts";

const ASSETS = new URL("../../packages/claw/dist/page/assets/", import.meta.url);
const KB = 1024;
/** The chunk that holds the terminal; it is loaded when a person opens one. */
const TERMINAL = /^open-terminal/;

/** What a browser loads, compressed by gzip. */
export function pageSize(): Row[] {
  const names = readdirSync(ASSETS).filter((name) => name.endsWith(".gz"));
  const sum = (some: readonly string[]): number =>
    some.reduce((bytes, name) => bytes + readFileSync(new URL(name, ASSETS)).length, 0) / KB;
  const [terminal, others] = [
    names.filter((name) => TERMINAL.test(name)),
    names.filter((name) => !TERMINAL.test(name)),
  ];
  return [
    row("scripts and styles without the terminal", sum(others), "KB gzipped", { atMost: 130 }),
    row("the terminal", sum(terminal), "KB gzipped"),
  ];
}
