const PLAIN = /^[\w.:/ -]*$/;

/** JSON text of a string. Ids and topics have nothing to escape, and asking is cheaper than printing. */
export const quote = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text));
