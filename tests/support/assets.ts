import { uploadAsset } from '@/lib/domains/storages/upload-asset'
import type { Ctx } from '@/lib/kernel/context'
import { newId } from '@/lib/kernel/new-id'
import { loadToolset } from '@/lib/toolset/tools/load-toolset'
import { db } from './fixture-db'

/** Returns a PNG of which only the head is there. */
export function pngHead(width = 640, height = 480): Uint8Array<ArrayBuffer> {
  const head = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\0\0\0\0\0', 'latin1')
  head.writeUInt32BE(width, 16)
  head.writeUInt32BE(height, 20)
  return new Uint8Array(head)
}

type Place = { storageId: string; path?: string; title?: string; replace?: boolean }

/** Uploads bytes as an asset, `press/logo.png` by default. */
export async function addAsset(ctx: Ctx, content: Uint8Array<ArrayBuffer>, place: Place) {
  const input = { path: 'press/logo.png', replace: false, pieces: [content], ...place }
  return (await uploadAsset(ctx, input)).asset
}

/** Calls a tool as a run of this person would, without gates. Returns its content. */
export async function callAs({ actor }: Ctx, name: string, args: object): Promise<unknown> {
  const tool = (await loadToolset(db())).get(name)
  const parsed = tool?.parse(args)
  if (!tool || !parsed?.ok) throw new Error('The call is not valid.')
  const { signal } = new AbortController()
  const context = { signal, actor, runId: newId(), configurationId: null, callId: 'call-1' }
  return (await tool.execute(parsed.args, context)).content
}
