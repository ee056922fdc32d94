/** How much work the suite does. `BENCH_BUS=full` takes some minutes more and gives steadier figures. */
export const SIZES =
  process.env["BENCH_BUS"] === "full"
    ? { rounds: 15, events: 30_000, singles: 3000, broadcasts: 3000, history: 1_000_000, liveMs: 20_000, peers: 2000 }
    : { rounds: 5, events: 15_000, singles: 1000, broadcasts: 1000, history: 500_000, liveMs: 4000, peers: 2000 };

export const WINDOW = 100;
export const SUBSCRIBERS = 100;
