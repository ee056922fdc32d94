/** How much of something is tried: the first usually, the second when there is time, in `npm run soak`. */
export const effort = (usual: number, thorough: number): number =>
  process.env["CLAW_SOAK"] === undefined ? usual : thorough;
