import { storageVerbs } from '@toolgate/server/domains/storages/verbs'
import { Images } from 'lucide-react'
import type { Metadata } from 'next'
import { resourceListPage } from '@/app/(console)/(admin)/resource-list'
import type { Column } from '@/components/list/columns'
import { CardHead, nameColumn, switchColumn } from '@/components/resource/resource-list'
import { VisibleText } from '@/components/trace/visible-text'
import { type Storage, storages } from '@/lib/domains/storages/shape'
import type { SortKeyOf } from '@/lib/shape/resource'
import { countOf, formatBytes, formatCount } from '@/lib/words/format'
import { changeStorage } from '../actions'
import { NewStorageButton } from '../storage-form'

export const metadata: Metadata = { title: 'Storages' }

const columns: Column<Storage, SortKeyOf<typeof storages>>[] = [
  switchColumn(storages.fields, changeStorage),
  nameColumn('Storage', storages),
  {
    key: 'assets',
    head: 'Assets',
    sort: 'number',
    figures: true,
    cell: ({ assets }) => formatCount(assets),
  },
  {
    key: 'bytes',
    head: 'Size',
    sort: 'number',
    figures: true,
    cell: ({ bytes }) => formatBytes(bytes),
  },
  {
    key: 'groups',
    head: storages.fields.groupIds.label,
    className: 'max-w-80 [overflow-wrap:anywhere]',
    cell: ({ groups }) => (
      <VisibleText text={groups.map(({ name }) => name).join(', ') || 'admins only'} />
    ),
  },
]

/** Shows one storage on a narrow screen. */
function Entry({ storage }: { storage: Storage }) {
  return (
    <>
      <CardHead resource={storages} row={storage} send={changeStorage} />
      <span className="numeric text-muted text-sm">
        {countOf(storage.assets, 'asset')}, {formatBytes(storage.bytes)}
      </span>
    </>
  )
}

export default resourceListPage(storages, storageVerbs, {
  about: 'What tools may reach. A storage has files, such as images, that tools find and describe.',
  add: (choices) => <NewStorageButton choices={choices} />,
  columns,
  card: (storage) => <Entry storage={storage} />,
  searched: 'name and note',
  nothing: {
    icon: Images,
    words:
      'A storage has files, such as images, that tools find by their titles and whose alternative texts they write after approval. Add one, then upload files.',
  },
})
