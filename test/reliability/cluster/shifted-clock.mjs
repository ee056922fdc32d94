// Loaded before a daemon: its clock is CLAW_TEST_CLOCK_MS ahead of the machine's.
const shift = Number(process.env.CLAW_TEST_CLOCK_MS ?? 0);
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + shift);
    else super(...given);
  }
  static now() {
    return RealDate.now() + shift;
  }
};
