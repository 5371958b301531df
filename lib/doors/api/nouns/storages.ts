import { z } from 'zod'
import {
  changeAsset,
  deleteAsset,
  listAssets,
  readAsset,
  restoreAsset,
} from '@/lib/domains/storages/asset-verbs'
import { readAssetContent } from '@/lib/domains/storages/read-content'
import { storages } from '@/lib/domains/storages/shape'
import { mostAssetMebibytes } from '@/lib/domains/storages/shared/asset'
import { AssetFacts, NewAsset } from '@/lib/domains/storages/shared/asset-schemas'
import { uploadAsset } from '@/lib/domains/storages/upload-asset'
import { closedFile } from '@/lib/doors/api/closed-file'
import { endpoint, serve } from '@/lib/doors/api/endpoint'
import { readPieces } from '@/lib/edge/read-body'

const assets = '/storages/{storageId}/assets' as const
const one = `${assets}/{uid}` as const
const One = z.object({ asset: AssetFacts })

const Upload = z.object({ storage: z.string().max(100), ...NewAsset.shape })

export const storageEndpoints = [
  serve('GET', assets, listAssets),
  /** Takes the bytes of one file as its body. Its type is detected from the bytes. */
  endpoint(
    'POST',
    '/asset-files',
    {
      role: 'admin',
      scope: storages.scopes.write,
      query: Upload,
      summary: `Uploads one file as an asset, up to ${mostAssetMebibytes} MiB or the limit of the storage; its type is detected from its bytes. 409 when there is an asset at its path, unless \`replace\` is true.`,
      answers: { 200: One, 201: One },
      takesBytes: true,
    },
    async ({ ctx, request, query: { storage: storageId, ...place } }) => {
      const pieces = await readPieces(request)
      const { asset, isNew } = await uploadAsset(ctx, { storageId, ...place, pieces })
      const location = `/api/v1/storages/${asset.storageId}/assets/${asset.uid}`
      return isNew
        ? Response.json({ asset }, { status: 201, headers: { location } })
        : Response.json({ asset })
    },
  ),
  serve('GET', one, readAsset, {
    answers: { 200: One },
    answer: ({ output }) => Response.json({ asset: output }),
  }),
  serve('PATCH', one, changeAsset, {
    answers: { 200: One },
    answer: async ({ ctx, params: { storageId = '', uid = '' } }) =>
      Response.json({ asset: await readAsset(ctx, { storageId, uid }) }),
  }),
  serve('DELETE', one, deleteAsset),
  serve('POST', `${one}/restore`, restoreAsset, { bodyIsOptional: true }),
  endpoint(
    'GET',
    `${one}/content`,
    {
      role: 'admin',
      scope: storages.scopes.read,
      summary:
        'Returns the bytes of an asset. Only images of pixels are shown; anything else is saved.',
      answers: { 200: 'application/octet-stream' },
    },
    async ({ ctx, params: { storageId = '', uid = '' } }) => {
      const { mediaType: type, ...file } = await readAssetContent(ctx, { storageId, uid })
      return closedFile({ ...file, type })
    },
  ),
]
