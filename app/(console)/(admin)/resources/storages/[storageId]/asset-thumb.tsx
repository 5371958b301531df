import { FileIcon, FileImage } from 'lucide-react'
import { bytesOf } from '@/lib/domains/storages/shared/asset'
import type { AssetFacts } from '@/lib/domains/storages/shared/asset-schemas'

/** Returns the address of the bytes of an asset. */
export function contentAddress({ storageId, uid }: Pick<AssetFacts, 'storageId' | 'uid'>): string {
  return `/api/v1/storages/${storageId}/assets/${uid}/content`
}

/** A list shows many images at once, so it loads no larger ones. */
const mostThumbBytes = bytesOf(5)

/** Shows a thumbnail of an image, and an icon for other files and large images. */
export function AssetThumb({ asset }: { asset: AssetFacts }) {
  if (!asset.shown || asset.bytes > mostThumbBytes) {
    const Sign = asset.shown ? FileImage : FileIcon
    return <Sign className="m-2 size-6 shrink-0 text-muted" aria-hidden />
  }
  return (
    // biome-ignore lint/performance/noImgElement: shown as it was uploaded, to whoever may read it
    <img
      src={contentAddress(asset)}
      alt=""
      loading="lazy"
      className="size-10 shrink-0 rounded-sm object-cover"
    />
  )
}
