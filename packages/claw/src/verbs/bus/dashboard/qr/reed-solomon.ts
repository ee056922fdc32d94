const FIELD = 256;
/** The polynomial of the field of QR codes, x^8 + x^4 + x^3 + x^2 + 1. */
const POLYNOMIAL = 0x11d;

/** Powers of the field's generator, twice over, and their logarithms. */
const TABLES = (() => {
  const powers = new Uint8Array(2 * FIELD);
  const logarithms = new Uint8Array(FIELD);
  let value = 1;
  for (let power = 0; power < FIELD - 1; power += 1) {
    powers[power] = value;
    powers[power + FIELD - 1] = value;
    logarithms[value] = power;
    value = value < FIELD / 2 ? value * 2 : (value * 2) ^ POLYNOMIAL;
  }
  return { powers, logarithms };
})();

function product(left: number, right: number): number {
  if (left === 0 || right === 0) return 0;
  const { powers, logarithms } = TABLES;
  return powers[(logarithms[left] ?? 0) + (logarithms[right] ?? 0)] ?? 0;
}

/** The polynomial whose zeros are the first powers of the generator, without its first factor, which is 1. */
function generatorOf(degree: number): number[] {
  let factors = [1];
  for (let power = 0; power < degree; power += 1) {
    const root = TABLES.powers[power] ?? 0;
    factors = [...factors, 0].map((factor, index) => factor ^ product(factors[index - 1] ?? 0, root));
  }
  return factors.slice(1);
}

/** The bytes that correct errors of a block. */
export function correctionBytes(block: readonly number[], count: number): number[] {
  const generator = generatorOf(count);
  const rest = Array.from({ length: count }, () => 0);
  for (const byte of block) {
    const factor = byte ^ (rest.shift() ?? 0);
    rest.push(0);
    for (const [index, value] of generator.entries()) rest[index] = (rest[index] ?? 0) ^ product(value, factor);
  }
  return rest;
}
