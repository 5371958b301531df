import { beforeEach, describe, expect, it, test } from 'vitest'
import { ToolError } from '@/lib/protocol/tool'
import { callToolDirectly } from '@/tests/support/call-tool-directly'
import { memoryResources } from '@/tests/support/memory-resources'
import { memoryStorages } from '@/tests/support/memory-storages'
import { bindTool } from '../bind-tool'
import type { ToolDefinition } from '../define-tool'
import type { AssetMeta } from '../storage-resources'
import browseFolder from './browse-folder'
import listStorages from './list-storages'
import readAssetMeta from './read-asset-meta'
import searchFiles from './search-files'
import setAlternativeText from './set-alternative-text'

const meta: AssetMeta = {
  uid: '0198a3b4-1111-7abc-8def-0123456789ab',
  storage: 'Media',
  path: 'press/logo.svg',
  title: 'Logo',
  alternativeText: '',
  mediaType: 'image/svg+xml',
  bytes: 2048,
  pixels: null,
  checksum: 'ab',
  createdAt: '2026-01-01T00:00:00.000Z',
  modifiedAt: '2026-01-02T00:00:00.000Z',
}
const line = {
  uid: meta.uid,
  storage: 'Media',
  path: 'press/logo.svg',
  title: 'Logo',
  alternativeText: '',
  mediaType: 'image/svg+xml',
  bytes: 2048,
}

let storages: ReturnType<typeof memoryStorages>
beforeEach(() => {
  storages = memoryStorages([
    structuredClone(meta),
    { ...meta, uid: meta.uid.replace('1111', '2222'), storage: 'Press', path: 'a.png' },
  ])
})

const call = async (tool: ToolDefinition, args: object) =>
  (await callToolDirectly(tool, args, { storages })).content
const neutral = new ToolError('not-found', 'Asset not found or not permitted.')

const hostileUids = [
  '0198a3b4-1111-7abc-8def-0123456789ac',
  'not-a-uuid',
  '',
  '../../etc/passwd',
  `${meta.uid}' OR 1=1 --`,
  `${meta.uid}\n`,
]

describe.each([
  [readAssetMeta, {}],
  [setAlternativeText, { text: 'A logo' }],
] as const)('$name', (tool, args) => {
  it.each(hostileUids)(
    'answers a uid that is unknown, forbidden or none at all with the same words (%#)',
    async (uid) => {
      await expect(call(tool, { uid, ...args })).rejects.toEqual(neutral)
    },
  )

  it('asks for nothing that is no UUID', async () => {
    const requests: string[] = []
    const spying = {
      ...storages,
      readMeta: async (uid: string) => {
        requests.push(uid)
        return null
      },
      describe: async ({ uid }: { uid: string }) => {
        requests.push(uid)
        return false
      },
    }
    const spied = callToolDirectly(tool, { uid: "1'; DROP", ...args }, { storages: spying })
    await expect(spied).rejects.toEqual(neutral)
    expect(requests).toEqual([])
  })
})

test('tells what is known about an asset, whatever the case of its uid', async () => {
  for (const uid of [meta.uid, meta.uid.toUpperCase()])
    expect(await call(readAssetMeta, { uid })).toEqual(meta)
})

test('lists storages, and what is in a folder of one', async () => {
  expect(await call(listStorages, {})).toEqual({
    total: 2,
    shown: 2,
    storages: [
      { name: 'Media', assets: 1, bytes: 1_024 },
      { name: 'Press', assets: 1, bytes: 1_024 },
    ],
  })
  const folder = { total: 1, shown: 1, folders: [], assets: [line] }
  for (const path of ['press', '/press/', './press//'])
    expect(await call(browseFolder, { storage: 'Media', path })).toEqual(folder)
})

test.each([
  '../press',
  'press/../..',
  'pr\0ess',
  'press\u202e',
  'x'.repeat(4_096),
  'press\\x',
  'no',
])('a folder that is hostile or missing is answered with the same words (%#)', async (path) => {
  await expect(call(browseFolder, { storage: 'Media', path })).rejects.toEqual(
    new ToolError('not-found', 'Folder not found or not permitted.'),
  )
})

test('names the storages that may be used when the name is wrong', async () => {
  for (const storage of ['Other', 'media', '__proto__', "x' OR 1=1"]) {
    const words = 'Storage not found or not permitted. You may use: Media, Press.'
    await expect(call(browseFolder, { storage })).rejects.toThrow(words)
    await expect(call(searchFiles, { storage, text: 'logo' })).rejects.toThrow(words)
  }
  storages = memoryStorages()
  const none = 'Storage not found or not permitted. There is none that you may use.'
  await expect(call(browseFolder, { storage: 'Media' })).rejects.toThrow(none)
})

test('finds by title, path, alternative text and type, and says whether there are more', async () => {
  expect(await call(searchFiles, { text: 'logo press', storage: 'Media' })).toEqual({
    shown: 1,
    assets: [line],
  })
  const found = (limit: number) =>
    callToolDirectly(searchFiles, { text: 'svg', limit }, { storages })
  expect(await found(1)).toMatchObject({
    content: { shown: 1 },
    leftOut: [{ what: 'assets that fit, too', why: 'this call asked for 1; use more words' }],
  })
  expect(await found(2)).toMatchObject({ content: { shown: 2 }, leftOut: [] })
  await expect(call(searchFiles, { text: 'svg', limit: 51 })).rejects.toThrow('limit')
})

test('writes an alternative text as one line, and shows the approver what is there and what it becomes', async () => {
  const actor = { userId: 'u', email: 'a@example.org', role: 'member' as const }
  const { signal } = new AbortController()
  const context = { signal, actor, runId: 'r', configurationId: null, callId: 'c' }
  const tool = bindTool(setAlternativeText, () => memoryResources({ storages }))
  const parsed = tool.parse({ uid: meta.uid, text: ' A round\n\tlogo\0. ' })
  if (!parsed.ok) throw new Error(parsed.issues.join(' '))
  const look = async () => {
    const now = await tool.look?.read(parsed.args, context)
    return [now, tool.look?.becomes?.(parsed.args, typeof now === 'object' ? null : now)]
  }
  expect(await look()).toEqual([null, 'A round logo.'])
  await tool.execute(parsed.args, context)
  expect(await look()).toEqual(['A round logo.', 'A round logo.'])
  expect(tool.parse({ uid: meta.uid, text: '\u0001 ' }).ok).toBe(false)
  expect(tool.parse({ uid: meta.uid, text: 'x'.repeat(1_001) }).ok).toBe(false)
})
