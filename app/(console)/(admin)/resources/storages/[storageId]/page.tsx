import { listAssets } from '@toolgate/server/domains/storages/asset-verbs'
import { storageVerbs } from '@toolgate/server/domains/storages/verbs'
import { lenientQuery } from '@toolgate/server/edge/lenient-query'
import { FileImage } from 'lucide-react'
import { resourcePage } from '@/app/(console)/(admin)/resource-page'
import { ListFrame } from '@/components/list/list-frame'
import { EmptyState } from '@/components/ui/empty-state'
import { Section } from '@/components/ui/section'
import { storages } from '@/lib/domains/storages/shape'
import { AssetFilter, defaultAssetSort } from '@/lib/domains/storages/shared/asset-schemas'
import { pathOf } from '@/lib/protocol/nouns'
import { rowsPerPage } from '@/lib/shape/resource'
import { countOf, formatBytes } from '@/lib/words/format'
import { StorageActions } from '../storage-form'
import { AssetList, assetFilters } from './asset-list'
import { UploadAssets } from './upload-assets'

const Query = AssetFilter.omit({ pageSize: true })

const { page, generateMetadata } = resourcePage(
  storages,
  storageVerbs,
  async ({ ctx, object: storage, choices, searchParams }) => {
    const { id, assets, bytes, largestFile, wholeSize } = storage
    const { page: at, sort, ...values } = lenientQuery(Query, searchParams)
    const input = { storageId: id, ...values, sort, page: at, pageSize: rowsPerPage }
    const { assets: rows, total, whole } = await listAssets(ctx, input)
    const order = { by: sort, default: defaultAssetSort } as const
    const address = { path: `${pathOf(storages)}/${id}`, values, page: at, sort: order }
    return {
      actions: <StorageActions object={storage} choices={choices} />,
      facts: { Assets: `${countOf(assets, 'asset')}, ${formatBytes(bytes)}` },
      children: (
        <Section title="Assets">
          <UploadAssets storageId={id} largestFile={largestFile} wholeSize={wholeSize} />
          <ListFrame
            thing="asset"
            address={address}
            fields={assetFilters}
            total={total}
            whole={whole}
            pageSize={rowsPerPage}
            searched="title, path and alternative text"
            nothing={
              <EmptyState icon={FileImage} title="No assets yet">
                Upload the first files.
              </EmptyState>
            }
          >
            <AssetList rows={rows} address={address} />
          </ListFrame>
        </Section>
      ),
    }
  },
)

export { generateMetadata }
export default page
