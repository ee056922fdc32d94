import { LIMITS } from "claw-contract";
import { isGlob } from "./glob-pattern.ts";
import { splitCommand } from "./shell/split-command.ts";
import { canonicalToolName, isBuiltInTool } from "./tool-names.ts";

export const RULE_LISTS = ["allow", "ask", "deny"] as const;

export type RuleList = (typeof RULE_LISTS)[number];

/** What a rule says of a call's subject. */
export type RuleContent =
  | { readonly kind: "exact"; readonly text: string }
  | { readonly kind: "prefix"; readonly text: string }
  | { readonly kind: "glob"; readonly text: string }
  | { readonly kind: "domain"; readonly text: string };

export interface Rule {
  /** As it stands in the settings. */
  readonly text: string;
  /** Canonical name; `*` is every tool, `mcp__server` every tool of that server. */
  readonly tool: string;
  /** Null is every call. */
  readonly content: RuleContent | null;
}

export type RuleSet = Readonly<Record<RuleList, readonly Rule[]>>;

export type RuleTexts = Readonly<Partial<Record<RuleList, readonly string[]>>>;

/** A problem in a rule, for people to read. */
export interface RuleProblem {
  readonly list: RuleList;
  readonly rule: string;
  readonly why: string;
}

const FORM = /^([A-Za-z0-9_.*-]+)(?:\s*\(([\s\S]*)\))?$/;
const TOOL_NAME = /^\s*([A-Za-z0-9_.-]+)/;
const DOMAIN = /^(?:\*\.)?[a-z0-9.-]+$|^\[?[0-9a-f:]+\]?$/;
const COMMAND_TOOLS = new Set(["bash"]);

type RuleReading = { readonly rule: Rule; readonly why?: string } | { readonly why: string };

function readContent(tool: string, inner: string): RuleContent | string | null {
  const text = inner.trim();
  if (text === "" || text === "*" || text === "**" || text === ":*") {
    return text === "" ? "it has empty brackets" : null;
  }
  if (text.startsWith("domain:")) {
    const domain = text.slice("domain:".length).toLowerCase();
    if (tool !== "web_fetch" && tool !== "*") return "domains are for web_fetch";
    return DOMAIN.test(domain) ? { kind: "domain", text: domain } : "it names no domain";
  }
  const isPrefix = text.endsWith(":*");
  const plain = isPrefix ? text.slice(0, -2) : text;
  if (COMMAND_TOOLS.has(tool)) {
    const line = splitCommand(plain);
    if (line.kind === "complex") {
      return `only plain words can be matched, and it holds ${line.why}; use a prefix: ${tool}(word:*)`;
    }
    if (line.segments.length > 1) return "it holds several commands; each is matched by itself";
  }
  if (isPrefix) return { kind: "prefix", text: plain };
  return isGlob(text) ? { kind: "glob", text } : { kind: "exact", text };
}

function readRule(text: string): RuleReading {
  if (text.length > LIMITS.ruleChars) return { why: `it is longer than ${LIMITS.ruleChars} characters` };
  const [, name, inner] = FORM.exec(text.trim()) ?? [];
  if (name === undefined) return { why: "it is no rule: tool, tool(content) or tool(prefix:*)" };
  if (name !== "*" && name.includes("*") && !/^mcp__[^*]+__\*$/i.test(name)) {
    return { why: "only * and mcp__server__* are patterns of tools" };
  }
  const tool = canonicalToolName(name).replace(/^(mcp__.+)__\*$/, "$1");
  const content = inner === undefined ? null : readContent(tool, inner);
  if (typeof content === "string") return { why: content };
  const isKnown = tool === "*" || tool.startsWith("mcp__") || isBuiltInTool(tool);
  return { rule: { text, tool, content }, ...(isKnown ? {} : { why: `there is no built-in tool ${tool}` }) };
}

/**
 * A restricting rule that cannot be read restricts every call of the tool it names, so a typing error opens no door.
 */
function widest(list: RuleList, text: string): Rule[] {
  const [, name] = TOOL_NAME.exec(text) ?? [];
  return list === "allow" || name === undefined ? [] : [{ text, tool: canonicalToolName(name), content: null }];
}

/** Reads the rules of the settings, and lists every problem in them. Never throws. */
export function readRules(texts: RuleTexts): { readonly rules: RuleSet; readonly problems: readonly RuleProblem[] } {
  const rules: Record<RuleList, Rule[]> = { allow: [], ask: [], deny: [] };
  const problems: RuleProblem[] = [];
  for (const list of RULE_LISTS) {
    for (const text of texts[list] ?? []) {
      const reading = readRule(text);
      if (reading.why !== undefined) problems.push({ list, rule: text, why: reading.why });
      rules[list].push(...("rule" in reading ? [reading.rule] : widest(list, text)));
    }
  }
  return { rules, problems };
}

const READING = ["read_file", "glob_search", "grep_search"];
const WRITING = ["write_file", "edit_file"];

/**
 * Tools that read, or write, the same files: a rule that restricts one tool restricts the others. A rule about reading
 * also restricts the tools that write, since their answers show the old text.
 */
const FAMILIES: readonly (readonly [named: readonly string[], meant: readonly string[]])[] = [
  [READING, [...READING, ...WRITING]],
  [WRITING, WRITING],
];

/** Whether a restricting rule keeps files from being read, or written, by any tool or command. */
export function keepsFiles({ tool, content }: Rule, kind: "read" | "write"): boolean {
  return content !== null && (kind === "read" ? READING : WRITING).includes(tool);
}

/** Whether a rule is about a tool. Rules that restrict also hold for the tools that do the same by other means. */
export function concernsTool(rule: Rule, tool: string, list: RuleList): boolean {
  const name = canonicalToolName(tool);
  if (rule.tool === "*" || rule.tool === name) return true;
  if (rule.tool.startsWith("mcp__")) return name.startsWith(`${rule.tool}__`);
  if (list === "allow" || rule.content === null) return false;
  return FAMILIES.some(([named, meant]) => named.includes(rule.tool) && meant.includes(name));
}
