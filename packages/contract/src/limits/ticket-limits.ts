/** Limits of tickets: handles by which a caller waits for workers. Part of `LIMITS`. */
export const TICKET_LIMITS = {
  /** How long a ticket is kept, counted from its opening; shortest and longest time a caller may ask for. */
  ticketMs: 7 * 24 * 60 * 60 * 1000,
  ticketLeastMs: 60_000,
  ticketMostMs: 30 * 24 * 60 * 60 * 1000,
  /** Most workers of a ticket. */
  ticketWorkers: 32,
  /** Most open tickets of a caller; further tickets are refused. */
  ticketsOpen: 100,
  /** Tickets that are remembered; the oldest closed ones are forgotten first. */
  tickets: 2000,
  /** Characters of a worker's summary, and of a command or a reason, in an outcome. */
  outcomeSummaryChars: 2000,
  outcomeLineChars: 300,
  /** Answers to approvals that a ticket remembers. */
  ticketAnswers: 500,
  /** Shortest and longest handle; a handle has at least 128 random bits. */
  ticketHandleLeast: 32,
  ticketHandleMost: 128,
} as const;
