import { type WebAccess, webBudget } from '@/lib/engines/tools/tool-resources'

/** Returns the web as a run in memory may read it: the hosts listed here, private addresses included, and one budget. */
export function memoryWeb(listed: readonly string[] = []) {
  const used = { bytes: 0, hosts: new Set<string>() }
  const access: WebAccess = {
    findHost: async (origins) =>
      origins.some((origin) => listed.includes(origin)) ? { privateAddressAllowed: true } : null,
    reserve: async ({ host, bytes }) => {
      if (!used.hosts.has(host) && used.hosts.size >= webBudget.hosts) {
        return { type: 'refused', why: 'hosts' }
      }
      const granted = Math.min(bytes, webBudget.bytes - used.bytes)
      if (bytes > 0 && granted === 0) return { type: 'refused', why: 'bytes' }
      used.hosts.add(host)
      used.bytes += granted
      return { type: 'reserved', bytes: granted }
    },
    settle: async ({ reserved, used: read }) => {
      used.bytes -= reserved - read
    },
  }
  return { ...access, used }
}
