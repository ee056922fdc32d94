/** The bounds of fleets that are described by a file. Units are in the names. */
export const FLEET_LIMITS = {
  fileBytes: 256 * 1024,
  workers: 200,
  /** Workers that run at a time by default. */
  concurrency: 4,
  /** Most uses of YAML aliases in a file. Unlimited aliases could expand without bound. */
  aliases: 100,
  /** Deepest nesting of a fleet file. Deeper nesting could overflow the stack. */
  depth: 100,
  /** Most problems of a file in one answer. */
  problems: 50,
} as const;

/** A problem in a fleet file, with the path to the wrong value. */
export interface FleetProblem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

interface Named {
  readonly name: string;
  readonly needs: readonly string[];
}

function duplicates(workers: readonly Named[]): FleetProblem[] {
  return workers.flatMap(({ name }, index) => {
    const first = workers.findIndex((other) => other.name === name);
    if (first === index) return [];
    return [{ path: ["workers", index, "name"], message: `'${name}' is the name of another worker too` }];
  });
}

function unknownNeeds(workers: readonly Named[]): FleetProblem[] {
  const names = new Set(workers.map(({ name }) => name));
  return workers.flatMap(({ needs }, index) =>
    needs.flatMap((need, at) =>
      names.has(need) ? [] : [{ path: ["workers", index, "needs", at], message: `no worker is called '${need}'` }],
    ),
  );
}

/**
 * Workers that can never start. The function removes every worker whose needs can be met, until only stuck workers
 * remain.
 */
function stuck(workers: readonly Named[]): readonly Named[] {
  const left = new Map(workers.map((worker) => [worker.name, worker]));
  for (;;) {
    const free = [...left.values()].filter(({ needs }) => needs.every((need) => !left.has(need)));
    if (free.length === 0) return [...left.values()];
    for (const { name } of free) left.delete(name);
  }
}

/** Follows the needs of the first stuck worker until a name repeats: the names in between form the circle. */
function circleIn(workers: readonly Named[]): string[] {
  const byName = new Map(workers.map((worker) => [worker.name, worker]));
  const way: string[] = [];
  let next = workers[0]?.name;
  while (next !== undefined && !way.includes(next)) {
    way.push(next);
    next = byName.get(next)?.needs.find((need) => byName.has(need));
  }
  return next === undefined ? way : [...way.slice(way.indexOf(next)), next];
}

function circles(workers: readonly Named[]): FleetProblem[] {
  const circle = circleIn(stuck(workers));
  const [first] = circle;
  if (first === undefined) return [];
  const index = workers.findIndex(({ name }) => name === first);
  return [{ path: ["workers", index, "needs"], message: `workers wait for each other: ${circle.join(" → ")}` }];
}

/** Problems of a fleet that the schema cannot detect. Pure. */
export const checkFleet = (workers: readonly Named[]): FleetProblem[] => [
  ...duplicates(workers),
  ...unknownNeeds(workers),
  ...circles(workers),
];
