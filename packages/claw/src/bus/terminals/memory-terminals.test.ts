import { describe } from "vitest";
import { createMemoryTerminals } from "./memory-terminals.ts";
import { terminalsConformance } from "./terminals.conformance.ts";

describe("terminals in memory", () => {
  terminalsConformance(() => {
    const terminals = createMemoryTerminals();
    let opened = 0;
    return Promise.resolve({
      terminals,
      openTerminal: (correlationId) => {
        const terminalId = String((opened += 1));
        terminals.add(terminalId, correlationId);
        return Promise.resolve(terminalId);
      },
      taken: (terminalId) =>
        Promise.resolve(terminals.typed.filter((one) => one.terminalId === terminalId).map(({ text }) => text)),
      endProgram: async (terminalId) => {
        await terminals.close(terminalId, "user");
      },
    });
  });
});
