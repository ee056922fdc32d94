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

/** A rule's path, from the root of the workspace; its links are not followed where it is a pattern. */
function placeOf(text: string, { root }: Workspace): string {
  const path = text.replace(/^~(?=\/|$)/, homedir());
  return isAbsolute(path) ? path : join(root, path);
}

/** Where a rule's path really is. */
export function realPlace(text: string, workspace: Workspace): string {
  try {
    return resolvePath(text, { cwd: workspace.root, home: homedir() });
  } catch {
    // What cannot be resolved names no file, and is compared as it stands.
    return placeOf(text, workspace);
  }
}

/** A test for paths by what a rule says of them, made once for many. None for a rule that speaks of no paths. */
export function pathTest(content: RuleContent, workspace: Workspace): ((path: string) => boolean)[] {
  const place = placeOf(content.text, workspace);
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

/** Whether a rule that restricts could mean the call: by where it really leads, or by the words it was made with. */
function restrictsPath(content: RuleContent, request: PermissionRequest, workspace: Workspace): boolean {
  const { need, subject } = request;
  const paths = need.kind === "read" || need.kind === "write" ? need.paths : [];
  const given = join(workspace.root, relative(workspace.root, placeOf(subject, workspace)));
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
      // A prefix that does not reach the path could go on as another host.
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
 * Whether a rule means a call. A rule that allows has to fit everything the call touches, as it really is; one that
 * restricts means a call that it fits in any part.
 */
export function ruleFits(rule: Rule, list: RuleList, request: PermissionRequest, workspace: Workspace): boolean {
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
