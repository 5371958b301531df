import { FileIcon, FileImage } from 'lucide-react'
import { bytesOf } from '@/lib/domains/storages/shared/asset'
import type { AssetFacts } from '@/lib/domains/storages/shared/asset-schemas'
import { AssetImage } from './asset-image'

/** Returns the address of the bytes of an asset. */
export function contentAddress({ storageId, uid }: Pick<AssetFacts, 'storageId' | 'uid'>): string {
  return `/api/v1/storages/${storageId}/assets/${uid}/content`
}

/** A list shows many images at once, so it loads no larger ones. */
const mostThumbBytes = bytesOf(5)

/** Shows a thumbnail of an image, and an icon for other files, large images and those that cannot be shown. */
export function AssetThumb({ asset }: { asset: AssetFacts }) {
  const Sign = asset.shown ? FileImage : FileIcon
  const sign = <Sign className="m-2 size-6 shrink-0 text-muted" aria-hidden />
  if (!asset.shown || asset.bytes > mostThumbBytes) return sign
  return (
    <AssetImage
      src={contentAddress(asset)}
      alt=""
      lazy
      className="size-10 shrink-0 rounded-sm object-cover"
    >
      {sign}
    </AssetImage>
  )
}
