/** The version of session files this program writes, and the newest it reads. */
export const SESSION_FILE_VERSION = 1;
