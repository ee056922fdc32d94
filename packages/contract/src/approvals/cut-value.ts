const APPROVAL_DEPTH = 64;

export interface CutValue {
  readonly value: unknown;
  readonly isCut: boolean;
}

const left = (count: number): string => `… (${count} more characters)`;

/**
 * Cuts a JSON value to at most `maxChars` characters. A note stands in place of each omitted part, so a reader sees
 * that the value is incomplete. Earlier members are kept first.
 */
export function cutValue(whole: unknown, maxChars: number): CutValue {
  let room = maxChars;
  let isCut = false;
  const note = (text: string): string => {
    isCut = true;
    return text;
  };
  const walk = (value: unknown, depth: number): unknown => {
    if (typeof value === "string") {
      const kept = value.slice(0, Math.max(0, room));
      room -= kept.length;
      return kept.length === value.length ? value : note(kept + left(value.length - kept.length));
    }
    room -= 1;
    if (typeof value !== "object" || value === null) return value;
    if (depth >= APPROVAL_DEPTH || room <= 0) return note("… (left out)");
    return Array.isArray(value) ? walkItems(value, depth) : walkMembers(Object.entries(value), depth);
  };
  const walkItems = (items: readonly unknown[], depth: number): unknown[] => {
    const kept: unknown[] = [];
    for (const item of items) {
      if (room <= 0) return [...kept, note(`… (${items.length - kept.length} more)`)];
      kept.push(walk(item, depth + 1));
    }
    return kept;
  };
  const walkMembers = (members: readonly [string, unknown][], depth: number): unknown => {
    const kept: [string, unknown][] = [];
    for (const [name, value] of members) {
      if (room < name.length) return Object.fromEntries([...kept, ["…", note(`${members.length - kept.length} more`)]]);
      room -= name.length;
      kept.push([name, walk(value, depth + 1)]);
    }
    return Object.fromEntries(kept);
  };
  return { value: walk(whole, 0), isCut };
}
