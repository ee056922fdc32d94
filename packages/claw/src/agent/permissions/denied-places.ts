import { isGlob } from "./glob-pattern.ts";
import type { KeptFiles } from "../sandbox/sandbox.ts";
import { pathTest, realPlace, permissionRuleFits } from "./match-rule.ts";
import { keepsPrivate } from "./private-places.ts";
import type { Rule, RuleSet } from "./rules.ts";
import { concernsTool, keepsFiles } from "./rules.ts";
import type { Workspace } from "./workspace.ts";

const hidingRules = ({ deny, ask }: RuleSet): readonly Rule[] =>
  [...deny, ...ask].filter((rule) => rule.content !== null && concernsTool(rule, "read_file", "deny"));

/** Tells which files the rules, or claw itself, keep from being read. A search of a whole folder leaves them out. */
export function hidesPaths(rules: RuleSet, workspace: Workspace): (path: string) => boolean {
  const hiding = hidingRules(rules);
  const isPrivate = keepsPrivate(workspace);
  return (path) => {
    if (isPrivate(path)) return true;
    const request = { tool: "read_file", need: { kind: "read", paths: [path] }, subject: path } as const;
    return hiding.some((rule) => permissionRuleFits(rule, "deny", request, workspace));
  };
}

/** The file or the whole folder that a rule names; empty for other patterns. */
function wholePlace({ content }: Rule, workspace: Workspace): string[] {
  if (content?.kind === "exact") return [realPlace(content.text, workspace)];
  const folder = content?.kind === "glob" ? /^(.+)\/\*\*$/.exec(content.text)?.[1] : undefined;
  return folder === undefined || isGlob(folder) ? [] : [realPlace(folder, workspace)];
}

/** Tests paths against the rules that name no single file or folder; undefined when there are no such rules. */
function patternTest(rules: readonly Rule[], workspace: Workspace): ((path: string) => boolean) | undefined {
  const tests = rules
    .filter((rule) => wholePlace(rule, workspace).length === 0)
    .flatMap(({ content }) => (content === null ? [] : pathTest(content, workspace)));
  return tests.length === 0 ? undefined : (path) => tests.some((fits) => fits(path));
}

/** The files that the rules keep from commands: the sandbox hides them, or shows them read-only. */
export function keptPlaces(rules: RuleSet, workspace: Workspace): KeptFiles {
  const keeping = (kind: "read" | "write"): Rule[] =>
    [...rules.deny, ...rules.ask].filter((rule) => keepsFiles(rule, kind));
  const [reading, writing] = [keeping("read"), keeping("write")];
  return {
    hidden: reading.flatMap((rule) => wholePlace(rule, workspace)),
    fixed: writing.flatMap((rule) => wholePlace(rule, workspace)),
    hides: patternTest(reading, workspace),
    fixes: patternTest(writing, workspace),
  };
}

/** Tells which addresses a rule allows by naming their host. */
export function namesAddresses(rules: RuleSet, workspace: Workspace): (url: string) => boolean {
  const naming = rules.allow.filter((rule) => rule.content !== null);
  return (url) => {
    const request = { tool: "web_fetch", need: { kind: "network", url }, subject: url } as const;
    return naming.some((rule) => permissionRuleFits(rule, "allow", request, workspace));
  };
}
