import os from 'node:os'

/** A server with less does not get through its start. */
const leastHeapMb = 256
const defaultShare = 0.5
const mostByDefaultMb = 2_048

/**
 * Returns the limit of the server's heap in MB: `chosenMb`, or half of the memory that this process may use, within bounds;
 * null = the options of Node set one. Without a limit the heap of a busy server grows long before it is tidied. A full one
 * ends the server, so where memory allows the limit is above what 200 results of 1 MB at once need. The rest of the
 * server takes up to 250 MB.
 */
export function heapLimitMb(
  chosenMb: number | undefined,
  { nodeOptions = process.env.NODE_OPTIONS ?? '', memoryBytes = usableMemory() } = {},
): number | null {
  if (chosenMb !== undefined) return chosenMb
  if (/--max[-_]old[-_]space[-_]size/.test(nodeOptions)) return null
  const share = Math.floor((memoryBytes * defaultShare) / 2 ** 20)
  return Math.max(leastHeapMb, Math.min(share, mostByDefaultMb))
}

/** Returns the bytes that this machine has, or that a limit, such as of a container, leaves to this process. */
function usableMemory(): number {
  return Math.min(os.totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
}
