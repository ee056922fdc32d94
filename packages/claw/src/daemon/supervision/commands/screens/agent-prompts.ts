import type { HarnessId, TerminalScreen } from "claw-contract";
import type { PromptRows } from "./prompt-rows.ts";
import { goesOn, isBlankRow, isInText, lastRow, markedRow } from "./prompt-rows.ts";

/** Rules that tell an agent's prompt from the rest of its screen. */
export interface AgentPrompt {
  /** The rows of the prompt; undefined when the screen shows no prompt, or the cursor is outside the prompt. */
  readonly find: (screen: TerminalScreen) => PromptRows | undefined;
  /** Text of an empty prompt, where faint text cannot be told from other text. */
  readonly placeholder: RegExp;
  /** Whether the screen next to the prompt says that the agent is at work. */
  readonly isAtWork: (screen: TerminalScreen, rows: PromptRows) => boolean;
}

const AT_WORK = /\besc to interrupt\b/;

/** A horizontal line across the whole screen, perhaps with a name in the line. */
const isRule = ({ lines, cols }: TerminalScreen, y: number): boolean =>
  lines[y]?.length === cols && /^\u2500{4,}( [^\u2500]+ \u2500+)?$/.test(lines[y]);

/** Numbers of rows, the last one not included. */
const between = (from: number, to: number): readonly number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);

/** The upper rule of Claude Code's prompt when it has scrolled. */
const isScrolledRule = ({ lines, cols }: TerminalScreen, y: number): boolean =>
  lines[y]?.length === cols && /^\u2500+ \u2191 \d+ more \u2500+$/.test(lines[y]);

/** The first row of a prompt whose mark has scrolled out of sight. */
function scrolledRow(screen: TerminalScreen): number | undefined {
  if (!isInText(screen)) return undefined;
  const rule = between(0, screen.cursor.y + 1).findLast((y) => !goesOn(screen, y));
  return rule !== undefined && isScrolledRule(screen, rule) ? rule + 1 : undefined;
}

/**
 * Claude Code: `❯` between two rules. On a small screen a long text hides the lower rule. Since 2.1.326 the upper rule
 * says how many rows have scrolled away; the mark has scrolled away with these rows.
 */
function findClaude(screen: TerminalScreen): PromptRows | undefined {
  const marked = markedRow(screen, "❯");
  const first = marked !== undefined && isRule(screen, marked - 1) ? marked : scrolledRow(screen);
  if (first === undefined) return undefined;
  const rule = between(first + 1, screen.rows).find((y) => !goesOn(screen, y));
  if (rule === undefined) return { first, last: screen.rows - 1 };
  return isRule(screen, rule) ? { first, last: rule - 1 } : undefined;
}

/**
 * Codex: `›` below a blank row. Another blank row and Codex's status line end the screen; since 0.169.0 the blank row
 * alone, where there is no room for more. Codex marks choices in the same way, and shows the cursor in its prompt
 * alone.
 */
function findCodex(screen: TerminalScreen): PromptRows | undefined {
  const first = markedRow(screen, "›");
  if (screen.cursorHidden === true) return undefined;
  if (first === undefined || !(first === 0 || isBlankRow(screen, first - 1))) return undefined;
  const isFull = lastRow(screen) === screen.rows - 2 && screen.cursor.y === screen.rows - 2;
  const end = isFull ? screen.rows - 1 : between(first + 1, lastRow(screen)).findLast((y) => isBlankRow(screen, y));
  if (end === undefined || end <= screen.cursor.y) return undefined;
  return between(first + 1, end).every((y) => goesOn(screen, y)) ? { first, last: end - 1 } : undefined;
}

/** claw's own chat: `›` below a blank row, and only hints after the prompt. */
function findChat(screen: TerminalScreen): PromptRows | undefined {
  const first = markedRow(screen, "›");
  if (screen.cursorHidden === true) return undefined;
  if (first === undefined || !(first === 0 || isBlankRow(screen, first - 1))) return undefined;
  const last = Math.max(screen.cursor.y, lastRow(screen));
  return between(first + 1, last + 1).every((y) => goesOn(screen, y)) ? { first, last } : undefined;
}

const below = (screen: TerminalScreen, { last }: PromptRows): readonly string[] => screen.lines.slice(last + 1);

const nearestAbove = (screen: TerminalScreen, { first }: PromptRows): string =>
  screen.lines.slice(0, first).findLast((line) => line.trim() !== "") ?? "";

const CLAUDE: AgentPrompt = {
  find: findClaude,
  placeholder: /^(Press up to edit queued messages|Try ".*"|)$/,
  isAtWork: (screen, rows) => below(screen, rows).some((line) => AT_WORK.test(line)),
};

export const AGENT_PROMPTS: Readonly<Record<HarnessId, AgentPrompt>> = {
  "claude-code": CLAUDE,
  // The fake agent draws Claude Code's prompt on a terminal.
  fake: CLAUDE,
  codex: {
    find: findCodex,
    placeholder: /^(Ask Codex to do anything|)$/,
    isAtWork: (screen, rows) => AT_WORK.test(nearestAbove(screen, rows)),
  },
  claw: { find: findChat, placeholder: /^$/, isAtWork: () => false },
};
