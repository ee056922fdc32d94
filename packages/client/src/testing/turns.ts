const MANY = 20_000;

/** Lets everything that is under way go on for a few turns of the loop. */
export async function turns(count = 10): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Waits for something that happens by itself, turn by turn. */
export async function until(happened: () => boolean): Promise<void> {
  for (let turn = 0; turn < MANY; turn += 1) {
    if (happened()) return;
    await turns(1);
  }
  throw new Error(`never happened: ${happened.toString()}`);
}
