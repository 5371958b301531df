import type { ToolResources } from '@/lib/engines/tools/tool-resources'
import { memoryStorages } from './memory-storages'
import { memoryWeb } from './memory-web'
import { notesInMemory } from './notes-in-memory'

/** Returns an installation in memory, which is empty by default. */
export function memoryResources(overrides: Partial<ToolResources> = {}): ToolResources {
  return {
    readLogs: async () => [],
    listUsers: async () => ({ total: 0, users: [] }),
    listGroups: async () => ({ total: 0, groups: [] }),
    environment: () => ({}),
    runtimeInfo: () => ({
      toolgateVersion: '0.0.0',
      nodeVersion: 'v20.19.0',
      platform: 'linux',
      arch: 'x64',
      uptimeSeconds: 1,
      memory: { residentBytes: 3, heapUsedBytes: 1, heapTotalBytes: 2 },
      cpus: 2,
      hostname: 'machine',
      pid: 4242,
      workingDirectory: '/srv/toolgate',
      execPath: '/usr/bin/node',
      argv: ['/usr/bin/node', 'server.js'],
    }),
    installation: {
      lastException: async () => null,
      schedules: async () => ({ total: 0, schedules: [] }),
      packages: async () => [],
      status: async () => ({
        servers: [],
        database: { reachable: true, sizeBytes: 1, newestMigration: null },
        disk: null,
        eventLoopDelay: { medianMs: 0, p99Ms: 0, measuredForMs: 1 },
        runs: { active: 0, waiting: 0 },
        connections: { failing: [], circuitsOpen: [] },
        vault: 'ok',
      }),
      accountFacts: async () => ({ total: 0, users: [] }),
    },
    memory: notesInMemory(),
    workspaces: { list: async () => [], keepVersion: async () => ({ forget: async () => {} }) },
    channels: { names: async () => [], find: async () => null },
    programs: { names: async () => [], find: async () => null },
    web: memoryWeb(),
    searchEndpoints: async () => [],
    data: {
      sign: () => Buffer.from('signature'),
      tables: async () => [],
      ask: async () => {
        throw new Error('There is no data source.')
      },
      write: async () => {
        throw new Error('There is no data source.')
      },
      query: async () => {
        throw new Error('There is no data source.')
      },
      audit: async () => ({ changes: [], more: false }),
    },
    storages: memoryStorages(),
    sites: { list: async () => [] },
    runs: {
      shown: async () => {
        throw new Error('There is no run.')
      },
      ask: async () => {
        throw new Error('There is no run.')
      },
    },
    ...overrides,
  }
}
