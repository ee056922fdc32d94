/** Something that is wrong with a fleet's file, and where in it. */
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

/** Those that can never start: what is left when everybody whose needs can be met is taken away. */
function stuck(workers: readonly Named[]): readonly Named[] {
  const left = new Map(workers.map((worker) => [worker.name, worker]));
  for (;;) {
    const free = [...left.values()].filter(({ needs }) => needs.every((need) => !left.has(need)));
    if (free.length === 0) return [...left.values()];
    for (const { name } of free) left.delete(name);
  }
}

/** Follows the needs of somebody stuck until a name comes again: that is the circle. */
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

/** What is wrong with a fleet that no schema says. Pure. */
export const checkFleet = (workers: readonly Named[]): FleetProblem[] => [
  ...duplicates(workers),
  ...unknownNeeds(workers),
  ...circles(workers),
];
