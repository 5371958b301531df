/**
 * Returns how long a test waits for what is promised within `ms`. A machine that is busy with something else needs longer;
 * `npm run proof` asks for the promise itself.
 */
export function promised(ms: number): number {
  return process.env.TOOLGATE_FULL_PROOF === '1' ? ms : 5 * ms
}
