import { homedir } from "node:os";
import { isAbsolute, join, relative } from "node:path";
import { globPattern } from "./glob-pattern.ts";
import type { PermissionRequest } from "./permission.ts";
import { resolvePath } from "./resolve-path.ts";
import type { Rule, RuleContent, RuleList } from "./rules.ts";
import { concernsTool, keepsFiles } from "./rules.ts";
import { commandMatches } from "./shell/match-command.ts";
import { pathsMeant } from "./shell/paths-meant.ts";
import type { Workspace } from "./workspace.ts";

/** A rule's path or pattern, made absolute from the root of the workspace. Links are not followed. */
function absolutePath(text: string, { root }: Workspace): string {
  const path = text.replace(/^~(?=\/|$)/, homedir());
  return isAbsolute(path) ? path : join(root, path);
}

/** The path of a rule with links followed. */
export function realPlace(text: string, workspace: Workspace): string {
  try {
    return resolvePath(text, { cwd: workspace.root, home: homedir() });
  } catch {
    // A path that cannot be resolved names no file; its text is compared.
    return absolutePath(text, workspace);
  }
}

/** A test whether a path fits the rule's content, made once for many paths. Empty for a rule about a domain. */
export function pathTest(content: RuleContent, workspace: Workspace): ((path: string) => boolean)[] {
  const place = absolutePath(content.text, workspace);
  switch (content.kind) {
    case "exact": {
      const real = realPlace(content.text, workspace);
      return [(path) => path === place || path === real];
    }
    case "prefix":
      return [(path) => path.startsWith(place)];
    case "glob": {
      const pattern = globPattern(place);
      return [(path) => pattern.test(path)];
    }
    case "domain":
      return [];
  }
}

const pathFits = (content: RuleContent, path: string, workspace: Workspace): boolean =>
  pathTest(content, workspace).some((fits) => fits(path));

/** Whether a restricting rule fits a call: by a real path of the call, or by the path as the model wrote it. */
function restrictsPath(content: RuleContent, request: PermissionRequest, workspace: Workspace): boolean {
  const { need, subject } = request;
  const paths = need.kind === "read" || need.kind === "write" ? need.paths : [];
  const given = join(workspace.root, relative(workspace.root, absolutePath(subject, workspace)));
  return [...paths, given].some((path) => pathFits(content, path, workspace));
}

function hostFits(content: RuleContent, url: string, list: RuleList): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname, href } = new URL(url);
  const host = hostname.toLowerCase().replace(/\.$/, "").replaceAll(/[[\]]/g, "");
  const text = content.text.replaceAll(/[[\]]/g, "");
  switch (content.kind) {
    case "domain": {
      if (text.startsWith("*.")) return host.endsWith(text.slice(1));
      return host === text || (list !== "allow" && host.endsWith(`.${text}`));
    }
    case "exact":
      return url === content.text || href === content.text;
    case "prefix":
      // A prefix that ends inside the host name would also fit other hosts.
      return /^https?:\/\/[^/]+\//.test(content.text) && href.startsWith(content.text);
    case "glob":
      return false;
  }
}

function textFits(content: RuleContent, subject: string): boolean {
  if (content.kind === "prefix") return subject.startsWith(content.text);
  return content.kind === "glob" ? globPattern(content.text).test(subject) : subject === content.text;
}

/**
 * Whether a rule applies to a call. An allowing rule has to fit all paths and commands of the call, with links
 * followed. A restricting rule applies when any part of the call fits.
 */
export function permissionRuleFits(
  rule: Rule,
  list: RuleList,
  request: PermissionRequest,
  workspace: Workspace,
): boolean {
  const { content } = rule;
  if (request.need.kind === "command" && list !== "allow" && content !== null) {
    const { command } = request.need;
    const isMeant = (kind: "read" | "write"): boolean =>
      keepsFiles(rule, kind) && pathsMeant(command, kind, workspace).some((path) => pathFits(content, path, workspace));
    if (isMeant("read") || isMeant("write")) return true;
  }
  if (!concernsTool(rule, request.tool, list)) return false;
  if (content === null) return true;
  switch (request.need.kind) {
    case "read":
    case "write": {
      if (list !== "allow") return restrictsPath(content, request, workspace);
      const { paths } = request.need;
      return paths.length > 0 && paths.every((path) => pathFits(content, path, workspace));
    }
    case "network":
      return hostFits(content, request.need.url, list);
    case "command":
      return commandMatches(content, list, request.need.command);
    case "nothing":
    case "foreign":
      return textFits(content, request.subject);
  }
}
