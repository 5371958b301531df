/** How long a test of a connection waits for its answer, in ms. */
export const longestTestMs = 20_000
