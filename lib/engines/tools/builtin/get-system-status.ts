import { z } from 'zod'
import { defineTool } from '../define-tool'
import { notShown } from '../left-out'

const mostServers = 50
const mostNames = 20

export default defineTool({
  name: 'get_system_status',
  description:
    'Tells how this Toolgate installation does at this moment: its servers and since when they run, the database and its size, ' +
    'the disk left for data, the delay of the event loop, active and waiting runs, connections that fail, open circuits, the ' +
    'vault and the newest migration. Use it before you look for a fault. It tells no paths, addresses or keys.',
  group: 'system',
  parameters: z.object({}),
  enabledByDefault: true,
  requiresAdmin: true,
  effect: 'read',
  trusted: true,
  dataClass: 'diagnostics',
  timeoutMs: 15_000,
  limits: [`${mostServers} servers`, `${mostNames} names of connections`],
  example: {},
  execute: async (_, { resources, signal }) => {
    const status = await resources.installation.status(signal)
    const { servers, database, disk, eventLoopDelay, runs, connections, vault } = status
    const { failing, circuitsOpen } = connections
    return {
      content: {
        servers: {
          count: servers.length,
          list: servers.slice(0, mostServers).map(({ startedAt, isThisOne }) => {
            return { startedAt, ...(isThisOne && { answersThis: true }) }
          }),
        },
        database: {
          reachable: database.reachable,
          sizeBytes: database.sizeBytes,
          newestMigration: database.newestMigration,
        },
        diskOfDataFolder: disk && { freeBytes: disk.freeBytes, totalBytes: disk.totalBytes },
        eventLoopDelay: {
          medianMs: eventLoopDelay.medianMs,
          p99Ms: eventLoopDelay.p99Ms,
          measuredForMs: eventLoopDelay.measuredForMs,
        },
        runs: { activeRuns: runs.active, waitingRuns: runs.waiting },
        connections: { failing: named(failing), circuitsOpen: named(circuitsOpen) },
        vault,
      },
      leftOut: [
        ...beyond(servers, mostServers, ['server', 'servers']),
        ...beyond(failing, mostNames, ['failing connection', 'failing connections']),
        ...beyond(circuitsOpen, mostNames, ['open circuit', 'open circuits']),
      ],
    }
  },
})

function beyond(all: readonly unknown[], most: number, words: readonly [string, string]) {
  const shown = Math.min(most, all.length)
  return notShown({ shown, total: all.length }, words, `a call lists at most ${most}`)
}

function named(names: readonly string[]) {
  return { count: names.length, names: names.slice(0, mostNames) }
}
