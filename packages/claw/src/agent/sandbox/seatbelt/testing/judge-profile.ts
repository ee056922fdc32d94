import type { SeatbeltProfile } from "../seatbelt-profile.ts";

type Node = string | readonly Node[];

/** Reads the expressions of a profile. */
function read(text: string): readonly Node[] {
  const stack: Node[][] = [[]];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[()]|[^\s()"]+/g)) {
    if (token === "(") stack.push([]);
    else if (token === ")") {
      const done = stack.pop() ?? [];
      stack.at(-1)?.push(done);
    } else stack.at(-1)?.push(token);
  }
  if (stack.length !== 1) throw new Error("the profile has parentheses without partners");
  return stack[0] ?? [];
}

type Holds = (node: Node) => boolean;

/** A judge of filters for one path. It knows the filters that profiles of claw use, and throws for others. */
function filterOf(path: string, parameters: SeatbeltProfile["parameters"]): Holds {
  const valueOf = (node: Node): string => {
    if (typeof node === "string") return JSON.parse(node) as string;
    const value = parameters.get(JSON.parse(String(node[1])) as string);
    if (node[0] !== "param" || value === undefined) throw new Error(`unknown value ${JSON.stringify(node)}`);
    return value;
  };
  const holds: Holds = (node) => {
    const [name, ...rest] = node as readonly Node[];
    if (name === "subpath") return rest.some((one) => path === valueOf(one) || path.startsWith(`${valueOf(one)}/`));
    if (name === "literal") return rest.some((one) => path === valueOf(one));
    if (name === "require-any") return rest.some(holds);
    if (name === "require-all") return rest.every(holds);
    if (name === "require-not") return !rest.some(holds);
    throw new Error(`unknown filter ${String(name)}`);
  };
  return holds;
}

/** Whether a profile allows an operation on a path: the last rule that fits decides. */
export function allows({ text, parameters }: SeatbeltProfile, operation: string, path: string): boolean {
  const holds = filterOf(path, parameters);
  const fits = (rule: readonly Node[]): boolean => {
    const [, ...rest] = rule;
    const names = rest.filter((node): node is string => typeof node === "string");
    const filters = rest.filter((node) => typeof node !== "string");
    const named = names.some(
      (name) =>
        name === "default" || (name.endsWith("*") ? operation.startsWith(name.slice(0, -1)) : name === operation),
    );
    return named && (filters.length === 0 || filters.some(holds));
  };
  const rules = read(text.replaceAll(/^;.*$/gm, "")) as readonly (readonly Node[])[];
  return rules.findLast((rule) => ["allow", "deny"].includes(String(rule[0])) && fits(rule))?.[0] === "allow";
}
