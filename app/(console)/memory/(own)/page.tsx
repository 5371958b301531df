import { readOwnConfigurations, readOwnNotes } from '@toolgate/server/domains/memory/reads'
import { defaultNoteSort, NoteFilter } from '@toolgate/server/domains/memory/schemas'
import { lenientQuery } from '@toolgate/server/edge/lenient-query'
import { NotebookPen } from 'lucide-react'
import type { Metadata } from 'next'
import Link from 'next/link'
import type { FilterField } from '@/components/forms/address-filter'
import { ListFrame } from '@/components/list/list-frame'
import { PageHead } from '@/components/shell/page-head'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { PageFrame } from '@/components/ui/page-frame'
import { requireUser } from '@/lib/next/require-user'
import { rowsPerPage } from '@/lib/shape/resource'
import { DeleteAllButton } from './delete-all-button'
import { NoteList } from './note-list'

export const metadata: Metadata = { title: 'Memory' }

type SearchParams = Promise<Record<string, string | string[] | undefined>>

const Query = NoteFilter.omit({ pageSize: true })

export default async function MemoryPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await requireUser()
  const { page, sort, ...values } = lenientQuery(Query, await searchParams)
  const [{ notes, total }, configurations] = await Promise.all([
    readOwnNotes(ctx, { page, sort, ...values, pageSize: rowsPerPage }),
    readOwnConfigurations(ctx),
  ])
  const chosen = configurations.find(({ id }) => id === values.configuration) ?? null
  const order = { by: sort, default: defaultNoteSort }
  const address = { path: '/memory', values, page, sort: order }
  return (
    <PageFrame kind="list">
      <PageHead
        title="Memory"
        action={
          configurations.length > 0 && (
            <DeleteAllButton configurations={configurations} chosen={chosen} />
          )
        }
      >
        What runs remember for your later runs.
      </PageHead>
      <ListFrame
        thing="note"
        address={address}
        fields={[search, configurationField(configurations)]}
        total={total}
        pageSize={rowsPerPage}
        searched="text of the notes"
        nothing={
          <EmptyState
            icon={NotebookPen}
            title="No notes yet"
            action={
              <Button asChild>
                <Link href="/playground">Run a prompt</Link>
              </Button>
            }
          >
            The tool memory_write keeps notes.
          </EmptyState>
        }
      >
        <NoteList rows={notes} address={address} />
      </ListFrame>
    </PageFrame>
  )
}

const search: FilterField = { type: 'search', name: 'search', label: 'Search notes' }

function configurationField(configurations: readonly { id: string; name: string }[]): FilterField {
  return {
    type: 'choice',
    name: 'configuration',
    label: 'Configuration',
    any: 'Any configuration',
    options: configurations.map(({ id, name }) => ({ value: id, label: name })),
  }
}
