import { storageVerbs } from '@toolgate/server/domains/storages/verbs'
import { resourceListPage } from '@/app/(console)/(admin)/resource-list'
import { storages } from '@/lib/domains/storages/shape'
import { countOf, formatBytes, formatCount } from '@/lib/words/format'
import { NewStorageButton } from './storage-form'

export const metadata = { title: 'Storages' }

export default resourceListPage(storages, storageVerbs, {
  about: 'Files, such as images, that tools find and describe.',
  add: NewStorageButton,
  columns: [
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
  ],
  cardText: ({ assets, bytes }) => `${countOf(assets, 'asset')}, ${formatBytes(bytes)}`,
})
