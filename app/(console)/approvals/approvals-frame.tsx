import { SearchX } from 'lucide-react'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { AddressFilter } from '@/components/forms/address-filter'
import { addressOf } from '@/components/forms/address-of'
import { countOf } from '@/components/trace/count-of'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { PageLinks } from '@/components/ui/page-links'

type Props = {
  path: string
  search: string | undefined
  page: number
  pages: number
  total: number
  /** What stands there when there is nothing at all. */
  empty: ReactNode
  /** The rows of this page; null = it has none. */
  children: ReactNode
}

/** What is around a list of approvals: search, count, the way through its pages, and words for an empty one. */
export function ApprovalsFrame({ path, search, page, pages, total, empty, children }: Props) {
  return (
    <>
      <AddressFilter
        path={path}
        fields={[{ type: 'search', name: 'search', label: 'Search approvals' }]}
        values={{ search }}
        count={countOf(total, 'call')}
      />
      {children ??
        (search === undefined && total === 0 ? (
          empty
        ) : (
          <EmptyState
            icon={SearchX}
            title={total > 0 ? 'There are not that many pages' : 'No call fits this search'}
            action={
              <Button asChild>
                <Link href={total > 0 ? addressOf(path, { search }) : path}>
                  {total > 0 ? 'Go to the first page' : 'Clear filter'}
                </Link>
              </Button>
            }
          >
            Search looks at tool, rule, prompt and who asked.
          </EmptyState>
        ))}
      <PageLinks
        of="approvals"
        page={page}
        pages={pages}
        hrefOf={(to) => addressOf(path, { search, page: to })}
      />
    </>
  )
}
