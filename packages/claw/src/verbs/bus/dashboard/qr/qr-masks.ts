type Mask = (row: number, column: number) => boolean;

/** The patterns of the standard, by number. A mask turns over the modules of data where it says true. */
export const MASKS: readonly Mask[] = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_row, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];

/** Equal modules in a row, from which on they count. */
const LONG = 5;

function runsIn(line: readonly boolean[]): number {
  let length = 0;
  let sum = 0;
  for (const [index, module] of line.entries()) {
    length = module === line[index - 1] ? length + 1 : 1;
    if (length === LONG) sum += 3;
    if (length > LONG) sum += 1;
  }
  return sum;
}

function squaresIn(modules: readonly (readonly boolean[])[]): number {
  let sum = 0;
  for (const [row, line] of modules.entries()) {
    const above = modules[row - 1];
    if (above === undefined) continue;
    for (let column = 1; column < line.length; column += 1) {
      const corner = [line[column], line[column - 1], above[column], above[column - 1]];
      if (corner.every((module) => module === corner[0])) sum += 3;
    }
  }
  return sum;
}

/** Counts long runs and squares of equal modules, which cameras read worse. Less is better. */
export function unevenness(modules: readonly (readonly boolean[])[]): number {
  const columns = modules.map((_, column) => modules.map((row) => row[column] === true));
  return [...modules, ...columns].reduce((sum, line) => sum + runsIn(line), squaresIn(modules));
}
