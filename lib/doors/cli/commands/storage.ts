import type { Command } from 'commander'
import { storages } from '@/lib/domains/storages/shape'
import { assetName, mostAssetBytes } from '@/lib/domains/storages/shared/asset'
import { readFileOrInput } from '@/lib/doors/cli/input/read-input'
import type { Ctx } from '@/lib/kernel/context'
import { countOf, formatBytes } from '@/lib/words/format'
import { command } from '../command'
import { printLine, printTable } from '../print'
import { commandSpec } from '../resource-commands'

const verbs = () => import('@/lib/domains/storages/asset-verbs')

const example = `
  toolgate storage add Media --group Support
  toolgate storage edit Media --largest-file 50
  toolgate asset upload Media logo.png --path press/logo.png`

export const storageCommands = commandSpec(storages, {
  example,
  words: {
    add: 'add a storage; without a group, only admins may use it',
    delete: 'delete a storage with all of its assets for good',
  },
  columns: {
    ASSETS: ({ assets }) => String(assets),
    SIZE: ({ bytes }) => formatBytes(bytes),
    GROUPS: ({ groups }) => groups.map(({ name }) => name).join(', ') || 'admins only',
  },
})

type ListOptions = { search?: string; undescribed?: boolean; deleted?: boolean; page: string }
type UploadOptions = { path?: string; title?: string; replace?: boolean }
type DescribeOptions = { text?: string; title?: string; path?: string; reason?: string }

const named = {
  '<storage>': 'name or id of the storage',
  '<uid>': 'uid of the asset, from the list',
}

export function addAssetCommands(program: Command): void {
  const group = program.command('asset').description('the files of storages')
  command<ListOptions>(group, 'list', {
    description: 'list the assets of a storage',
    args: { '<storage>': named['<storage>'] },
    options: (made) =>
      made
        .option('--search <text>', 'words of title, path or alternative text')
        .option('--undescribed', 'only those without an alternative text')
        .option('--deleted', 'those that were deleted, and can be restored')
        .option('--page <number>', 'which hundred of them', '1'),
    work: ({ ctx, args: [storage = ''], options }) => list(ctx, storage, options),
  })
  command<UploadOptions>(group, 'upload', {
    description: 'upload a file as an asset',
    args: { '<storage>': named['<storage>'], '<file>': 'path of the file' },
    options: (made) =>
      made
        .option('--path <path>', 'where it is in the storage; left out = the name of the file')
        .option('--title <text>', 'title; left out = the name of the file')
        .option('--replace', 'take the place of the asset at this path'),
    work: ({ ctx, args: [storage = '', file = ''], options }) =>
      upload(ctx, { storage, file }, options),
  })
  command<DescribeOptions>(group, 'describe', {
    description: 'change the alternative text, the title or the path of an asset',
    args: named,
    reason: true,
    options: (made) =>
      made
        .option('--text <text>', 'alternative text')
        .option('--title <text>', 'title')
        .option('--path <path>', 'path in the storage'),
    work: async ({ ctx, args: [storageId = '', uid = ''], options }) => {
      const { text: alternativeText, title, path, reason } = options
      const { changeAsset, readAsset } = await verbs()
      await changeAsset(ctx, { storageId, uid, alternativeText, title, path, reason })
      return { json: await readAsset(ctx, { storageId, uid }), text: 'Changed the asset.' }
    },
  })
  addRemoval(group)
}

function addRemoval(group: Command): void {
  command(group, 'remove', {
    description: 'delete an asset; it can be restored for 30 days',
    args: named,
    reason: true,
    work: async ({ ctx, args: [storageId = '', uid = ''], options: { reason } }) => {
      await (await verbs()).deleteAsset(ctx, { storageId, uid, reason })
      return { json: { deleted: uid }, text: 'Deleted the asset. It can be restored for 30 days.' }
    },
  })
  command(group, 'restore', {
    description: 'restore a deleted asset',
    args: named,
    reason: true,
    work: async ({ ctx, args: [storageId = '', uid = ''], options: { reason } }) => {
      await (await verbs()).restoreAsset(ctx, { storageId, uid, reason })
      return { json: { restored: uid }, text: 'Restored the asset.' }
    },
  })
}

const rowsPerPage = 100

async function list(
  ctx: Ctx,
  storageId: string,
  { search, undescribed, deleted, page }: ListOptions,
) {
  const { assets, total } = await (await verbs()).listAssets(ctx, {
    storageId,
    search,
    page,
    pageSize: rowsPerPage,
    sort: 'path',
    ...(undescribed && { described: 'no' }),
    ...(deleted && { deleted: 'yes' }),
  })
  return {
    json: { assets, total },
    text: () => {
      printTable(
        ['UID', 'PATH', 'TYPE', 'SIZE', 'ALTERNATIVE TEXT'],
        assets.map(({ uid, path, mediaType, bytes, alternativeText }) => [
          uid,
          path,
          mediaType,
          formatBytes(bytes),
          alternativeText === '' ? 'none' : 'yes',
        ]),
      )
      if (total > assets.length) printLine(`${countOf(total, 'asset')} in all: see --page`)
    },
  }
}

async function upload(
  ctx: Ctx,
  { storage: storageId, file }: { storage: string; file: string },
  { path = assetName(file), title, replace = false }: UploadOptions,
) {
  const { NewAsset } = await import('@/lib/domains/storages/shared/asset-schemas')
  const { parseInput } = await import('@/lib/kernel/parse-input')
  const { uploadAsset } = await import('@/lib/domains/storages/upload-asset')
  const place = parseInput(NewAsset, { path, title, replace })
  const pieces = [new Uint8Array(await readFileOrInput(file, mostAssetBytes))]
  const { asset, isNew } = await uploadAsset(ctx, { storageId, ...place, pieces })
  const words = isNew ? 'Uploaded the asset' : 'Replaced the file of the asset'
  return { json: asset, text: `${words} (${asset.uid}).` }
}
