import { ChevronLeft, ChevronRight } from 'lucide-react'
import Link from 'next/link'
import { Button } from '@/components/ui/button'
import { formatCount } from '@/lib/protocol/format'
import type { RunFilter } from '@/lib/runs/schemas'
import { runsAddress } from './run-filter'

export function PageLinks({ filter, total }: { filter: RunFilter; total: number }) {
  const pages = Math.ceil(total / filter.pageSize)
  const { page } = filter
  if (pages <= 1) return null
  return (
    <nav aria-label="Pages of runs" className="flex items-center justify-end gap-3">
      <span className="numeric text-muted text-sm">
        Page {formatCount(page)} of {formatCount(pages)}
      </span>
      {page > 1 && (
        <Button asChild size="sm">
          <Link href={runsAddress({ ...filter, page: Math.min(page - 1, pages) })} rel="prev">
            <ChevronLeft className="size-4" aria-hidden />
            Previous
          </Link>
        </Button>
      )}
      {page < pages && (
        <Button asChild size="sm">
          <Link href={runsAddress({ ...filter, page: page + 1 })} rel="next">
            Next
            <ChevronRight className="size-4" aria-hidden />
          </Link>
        </Button>
      )}
    </nav>
  )
}
