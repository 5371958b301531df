import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ToolResult } from '@/lib/protocol/tool'
import { callToolDirectly } from '@/tests/support/call-tool-directly'
import { execResources } from '@/tests/support/exec-in'
import { memoryResources } from '@/tests/support/memory-resources'
import { memoryStorages } from '@/tests/support/memory-storages'
import { memoryWorkspaces } from '@/tests/support/memory-workspaces'
import type { AssetMeta } from '../storage-resources'
import type { ToolResources } from '../tool-resources'
import { builtinTools } from './index.generated'

const secret = 'sk-proj-abcdefghijklmnopqrstuvwxyz012345'
const { installation } = memoryResources()
const many = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one)
const at = '2026-01-01T00:00:00.000Z'

let root = ''
beforeAll(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'left-out-')))
  writeFileSync(path.join(root, 'empty.txt'), '')
  writeFileSync(path.join(root, 'note.txt'), `key ${secret}\n`)
  writeFileSync(path.join(root, 'long.txt'), 'two\n'.repeat(300))
  writeFileSync(path.join(root, '.env'), 'two')
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const workspaces = () => memoryWorkspaces([{ id: 'w', name: 'handbook', root, isWritable: false }])
const inWorkspace = (args: object) => ({ workspace: 'handbook', ...args })

const asset = (title: string): AssetMeta => ({
  uid: '0198a3b4-1111-7abc-8def-0123456789ab',
  storage: 'Media',
  path: 'a/logo.svg',
  title,
  alternativeText: '',
  mediaType: 'image/svg+xml',
  bytes: 1,
  pixels: null,
  checksum: '',
  createdAt: at,
  modifiedAt: at,
})
const storages = (count: number, title = 'Logo') => ({
  storages: memoryStorages(many(count, asset(title))),
})

const user = {
  id: 'u',
  email: 'a@example.org',
  name: 'A',
  role: 'admin' as const,
  disabled: false,
  suspendedFor: null,
  groups: [],
  createdAt: at,
  lastSignInAt: null,
}
const signIn = { way: 'password' as const, secondFactors: [], recoveryCodesLeft: 0 }
const account = { ...user, signIn: { ...signIn, openSessions: 0, apiKeys: 0 } }
const group = { id: 'g', name: 'G', description: '', members: 0, configurations: many(51, 'c') }
const schedule = {
  name: 'S',
  cron: '* * * * *',
  words: '',
  timeZone: 'UTC',
  enabled: true,
  next: at,
  task: '',
  configuration: '',
}
const log = { at, level: 'error' as const, source: 's', message: 'x', incidentId: null }
const notes = (count: number): ToolResources['memory'] => ({
  ...memoryResources().memory,
  read: async ({ limit }) => many(count, { id: 'n', text: 'x', date: at }).slice(0, limit),
})

type Case = { args?: object; given: Partial<ToolResources>; says: readonly string[] }
type Cases = Readonly<Record<string, Case>>

/** For each tool whose result has parts: installations and calls, and the parts that the result then says are missing. */
const cases: Readonly<Record<string, () => Cases>> = {
  browse_folder: () => ({
    whole: { args: { storage: 'Media', path: 'a' }, given: storages(1), says: [] },
    cut: {
      args: { storage: 'Media', path: 'a' },
      given: storages(101),
      says: ['1 of 101 entries'],
    },
    redacted: {
      args: { storage: 'Media', path: 'a' },
      given: storages(1, secret),
      says: ['1 part'],
    },
  }),
  exec: () => {
    const echo = (text: string) => ({
      args: inWorkspace({ program: 'program', arguments: [text] }),
      given: execResources({ root, path: '/bin/echo', over: { isBoxed: false } }),
    })
    return {
      whole: { ...echo('x'), says: [] },
      redacted: { ...echo(secret), says: ['1 part'] },
    }
  },
  fetch_logs: () => ({
    empty: { given: {}, says: [] },
    cut: { given: { readLogs: async () => many(21, log) }, says: ['older entries'] },
    redacted: {
      given: { readLogs: async () => [{ ...log, message: secret }] },
      says: ['1 part'],
    },
  }),
  get_env: () => ({
    empty: { given: {}, says: [] },
    redacted: {
      given: { environment: () => ({ PORT: '1', API_KEY: secret, HOME: '/root' }) },
      says: ['values of 2 variables'],
    },
    cut: {
      given: {
        environment: () => Object.fromEntries(many(1_001, 0).map((_, n) => [`N${n}`, '1'])),
      },
      says: ['1 of 1\u202f001 variables'],
    },
  }),
  get_env_raw: () => ({
    empty: { given: {}, says: [] },
    cut: {
      given: { environment: () => ({ LONG: 'a b '.repeat(1_000) }) },
      says: ['ends of 1 value'],
    },
  }),
  get_last_exception: () => {
    const found = (message: string) => ({
      installation: {
        ...installation,
        lastException: async () => {
          const error = { type: 'Error', message: 'x', stack: 'at x' }
          const facts = { at, source: 's', incidentId: null, sameIn24Hours: 1, folder: '/srv' }
          return { ...facts, message, error }
        },
      },
    })
    return {
      empty: { given: {}, says: [] },
      whole: { given: found('x'), says: [] },
      redacted: { given: found(secret), says: ['1 part'] },
      cut: { given: found('a b '.repeat(1_000)), says: ['the end of the message'] },
    }
  },
  get_runtime_info_raw: () => ({
    whole: { given: {}, says: [] },
    redacted: {
      given: {
        runtimeInfo: () => ({
          ...memoryResources().runtimeInfo(),
          argv: ['node', '--token', secret],
        }),
      },
      says: ['1 part'],
    },
  }),
  get_system_status: () => ({
    whole: { given: {}, says: [] },
    cut: {
      given: {
        installation: {
          ...installation,
          status: async (signal) => ({
            ...(await installation.status(signal)),
            connections: { failing: many(21, 'c'), circuitsOpen: [] },
          }),
        },
      },
      says: ['1 of 21 failing connections'],
    },
  }),
  list_dependencies: () => ({
    empty: { given: {}, says: [] },
    cut: {
      args: {},
      given: {
        installation: {
          ...installation,
          packages: async () => many(301, { name: 'a', version: '1', licence: 'MIT' }),
        },
      },
      says: ['1 of 301 packages'],
    },
  }),
  list_directory: () => ({
    filtered: { args: inWorkspace({}), given: { workspaces: workspaces() }, says: ['1 entry'] },
  }),
  list_groups: () => ({
    empty: { given: {}, says: [] },
    cut: {
      given: { listGroups: async () => ({ total: 2, groups: [group] }) },
      says: ['1 of 2 groups', 'further configurations of 1 group'],
    },
  }),
  list_schedules: () => ({
    empty: { given: {}, says: [] },
    'cut and redacted': {
      given: {
        installation: {
          ...installation,
          schedules: async () => ({
            total: 2,
            schedules: [{ ...schedule, lastStart: { at, outcome: secret } }],
          }),
        },
      },
      says: ['1 of 2 schedules', '1 part'],
    },
  }),
  list_storages: () => ({
    empty: { given: {}, says: [] },
    cut: {
      given: {
        storages: {
          ...memoryStorages(),
          list: async () => many(101, { id: 's', name: 's', assets: 0, bytes: 0 }),
        },
      },
      says: ['1 of 101 storages'],
    },
  }),
  list_users: () => ({
    empty: { given: {}, says: [] },
    cut: {
      given: { listUsers: async () => ({ total: 201, users: many(201, user) }) },
      says: ['1 of 201 accounts'],
    },
  }),
  list_users_raw: () => ({
    empty: { given: {}, says: [] },
    cut: {
      given: {
        installation: {
          ...installation,
          accountFacts: async () => ({ total: 3, users: [{ ...account, groups: [] }] }),
        },
      },
      says: ['2 of 3 accounts'],
    },
  }),
  memory_read: () => ({
    empty: { given: { memory: notes(0) }, says: [] },
    whole: { given: { memory: notes(20) }, says: [] },
    cut: { given: { memory: notes(21) }, says: ['older notes'] },
  }),
  read_asset_meta: () => ({
    whole: { args: { uid: asset('').uid }, given: storages(1), says: [] },
    redacted: { args: { uid: asset('').uid }, given: storages(1, secret), says: ['1 part'] },
  }),
  read_file: () => ({
    empty: {
      args: inWorkspace({ path: 'empty.txt' }),
      given: { workspaces: workspaces() },
      says: [],
    },
    redacted: {
      args: inWorkspace({ path: 'note.txt' }),
      given: { workspaces: workspaces() },
      says: ['1 part'],
    },
    cut: {
      args: inWorkspace({ path: 'long.txt', start: 2, lines: 10 }),
      given: { workspaces: workspaces() },
      says: ['lines 1 to 1', 'lines 12 to 300'],
    },
  }),
  search_files: () => ({
    empty: { args: { text: 'none' }, given: storages(1), says: [] },
    cut: { args: { text: 'logo' }, given: storages(21), says: ['assets that fit, too'] },
    redacted: { args: { text: 'svg' }, given: storages(1, secret), says: ['1 part'] },
  }),
  search_files_text: () => ({
    filtered: {
      args: inWorkspace({ pattern: 'none' }),
      given: { workspaces: workspaces() },
      says: ['1 name'],
    },
    cut: {
      args: inWorkspace({ pattern: 'two' }),
      given: { workspaces: workspaces() },
      says: ['whatever comes after it in the workspace', '1 name'],
    },
  }),
  spawn_run: () => {
    const runs = (unfinished: string | null) => ({
      runs: {
        shown: async () => '',
        ask: async () => {
          return { runId: 'r', configuration: 'demo', answer: '', unfinished, dataClass: null }
        },
      },
    })
    return {
      'with an empty answer': { given: runs(null), says: [] },
      cut: { given: runs('It was cut.'), says: ['the rest of the answer'] },
    }
  },
}

/** Tools that read the web have their cases in left-out-web.test.ts, those of data sources in tests/integration/data-*.test.ts. */
const elsewhere = new Set(['host', 'site', 'search-endpoint', 'data-source'])
const withParts = builtinTools.filter(
  ({ isPlain, needs = '' }) => !isPlain && !elsewhere.has(needs),
)

test.each(withParts.map((tool) => [tool.name, tool] as const))(
  'T10: %s says that its result is complete, or which parts it does not have',
  async (name, tool) => {
    const each = cases[name]?.() ?? expect.fail(`There is no case for ${name}.`)
    for (const [state, { args, given, says }] of Object.entries(each)) {
      const { leftOut }: ToolResult = await callToolDirectly(tool, args ?? tool.example, given)
      expect(
        leftOut?.map(({ what }) => what),
        state,
      ).toEqual(says)
      for (const { why } of leftOut ?? []) expect(why, state).toMatch(/^[^\n]{5,200}$/)
    }
  },
)
