import { expect, it } from 'vitest'
import { ToolError } from '@/lib/protocol/tool'
import { callToolDirectly } from '@/tests/support/call-tool-directly'
import type { AssetMeta } from '../tool-resources'
import readAssetMeta from './read-asset-meta'

const meta: AssetMeta = {
  uid: '0198a3b4-1111-7abc-8def-0123456789ab',
  storage: 'media',
  path: 'press/logo.svg',
  title: 'Logo',
  mediaType: 'image/svg+xml',
  bytes: 2048,
  checksum: 'sha256:abc',
  createdAt: '2026-01-01T00:00:00.000Z',
  modifiedAt: '2026-01-02T00:00:00.000Z',
}
const resources = { readAssetMeta: async (uid: string) => (uid === meta.uid ? meta : null) }
const neutral = new ToolError('not-found', 'Asset not found or not permitted.')

it('tells what is known about an asset, whatever the case of its uid', async () => {
  expect(await callToolDirectly(readAssetMeta, { uid: meta.uid }, resources)).toEqual({
    content: meta,
  })
  expect(await callToolDirectly(readAssetMeta, { uid: meta.uid.toUpperCase() }, resources)).toEqual(
    { content: meta },
  )
})

it.each([
  '0198a3b4-1111-7abc-8def-0123456789ac',
  'not-a-uuid',
  '',
  '../../etc/passwd',
  `${meta.uid}' OR 1=1 --`,
  `${meta.uid}\n`,
  'x'.repeat(100_000),
])(
  'answers a uid that is unknown, forbidden or none at all with the same words (%#)',
  async (uid) => {
    await expect(callToolDirectly(readAssetMeta, { uid }, resources)).rejects.toEqual(neutral)
  },
)

it('does not look up what is no UUID', async () => {
  const asked: string[] = []
  const spying = {
    readAssetMeta: async (uid: string) => {
      asked.push(uid)
      return null
    },
  }
  await expect(callToolDirectly(readAssetMeta, { uid: "1'; DROP" }, spying)).rejects.toEqual(
    neutral,
  )
  expect(asked).toEqual([])
})
