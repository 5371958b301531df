import { readContent } from '@/lib/domains/rows/keep-content'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { database, db } from '@/lib/kernel/db'
import { NotFoundError } from '@/lib/kernel/errors'
import { requireAsset } from './assets'
import { assetName } from './shared/asset'
import { isShownInline } from './shared/media-type'

/** Returns the bytes of an asset, for admins. `shown`: whether a browser may show them. Throws NotFoundError. */
export async function readAssetContent(ctx: Ctx, input: { storageId: string; uid: string }) {
  requireRole(ctx, 'admin')
  const { asset } = await requireAsset(db(), input)
  const { path, mediaType, contentSha256 } = asset
  const content = contentSha256 === null ? null : await readContent(database(), contentSha256)
  if (!content) throw new NotFoundError('The file of this asset')
  const shown = isShownInline(asset)
  return { name: assetName(path), mediaType, shown, content }
}
